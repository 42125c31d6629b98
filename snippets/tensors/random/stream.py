"""One stream, from its beginning and from a saved state."""
# covers: rng.set-rng-state

import torch

torch.manual_seed(7)
first_six = torch.rand(6)

torch.manual_seed(7)
_ = torch.rand(2)
state = torch.get_rng_state()
_ = torch.rand(100)

torch.set_rng_state(state)
last_four = first_six[2:]
print(torch.equal(torch.rand(4), last_four))
#> True
