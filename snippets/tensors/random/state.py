"""The state of the generator is a tensor of bytes."""
# covers: rng.get-rng-state

import torch

torch.manual_seed(7)
state = torch.get_rng_state()
print(state.dtype, state.shape, state.device)
#> torch.uint8 torch.Size([5056]) cpu
_ = torch.rand(1)
print(torch.equal(state, torch.get_rng_state()))
#> False
