"""A detached tensor has no graph, but the same numbers in the same memory."""
# covers: autograd.detach

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
detached = w.detach()
detached[0] = 100.0
print(w)
#> tensor([100.,   2.], requires_grad=True)

copy = w.detach().clone()
copy[1] = 100.0
print(w)
#> tensor([100.,   2.], requires_grad=True)
