"""Restoring a saved state repeats the numbers that followed it."""
# covers: rng.get-rng-state rng.set-rng-state

import torch

torch.manual_seed(7)
_ = torch.rand(1000)
state = torch.get_rng_state()
print(torch.rand(3))
#> tensor([0.9420, 0.7568, 0.2651])
_ = torch.rand(50)
torch.set_rng_state(state)
print(torch.rand(3))
#> tensor([0.9420, 0.7568, 0.2651])
