"""`register_multi_grad_hook` calls a function when the gradients of several tensors have arrived."""

import torch
from torch.autograd.graph import register_multi_grad_hook

a = torch.tensor([1.0], requires_grad=True)
b = torch.tensor([2.0], requires_grad=True)
register_multi_grad_hook([a, b], lambda gradients: print(gradients))

(a * b).backward()
#> [tensor([2.]), tensor([1.])]

# A tensor that isn't part of this pass comes as None.
(a * 3).backward()
#> [tensor([3.]), None]
