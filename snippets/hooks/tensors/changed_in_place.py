"""A hook belongs to the value that the tensor had when it was registered."""
# covers: hooks.register-hook.semantics

import torch

x = torch.tensor([1.0], requires_grad=True)
h = x * 2
h.register_hook(lambda grad: print("h before times 5:", grad))
h.mul_(5)
h.register_hook(lambda grad: print("h after times 5: ", grad))
h.backward()
#> h after times 5:  tensor([1.])
#> h before times 5: tensor([5.])
