"""A seed starts the stream over, and a state continues it."""
# covers: rng.set-rng-state

import torch

torch.manual_seed(7)
print(torch.rand(2))
#> tensor([0.5349, 0.1988])
state = torch.get_rng_state()
print(torch.rand(2))
#> tensor([0.6592, 0.6569])

torch.manual_seed(7)
print(torch.rand(2))
#> tensor([0.5349, 0.1988])
torch.set_rng_state(state)
print(torch.rand(2))
#> tensor([0.6592, 0.6569])
