"""A hook that returns nothing doesn't change the gradient."""
# covers: hooks.tensor-double-example, hooks.tensor-register-hook

import torch

kept = []


def keep_twice(grad):
    kept.append(grad * 2)


x = torch.tensor([[1.0, -1.0], [1.0, 1.0]], requires_grad=True)
handle = x.register_hook(keep_twice)

x.pow(2).sum().backward()
print(kept)
#> [tensor([[ 4., -4.],
#>         [ 4.,  4.]])]
print(x.grad)
#> tensor([[ 2., -2.],
#>         [ 2.,  2.]])
