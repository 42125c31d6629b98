"""If a hook returns a tensor, this tensor replaces the gradient."""
# covers: hooks.tensor-register-hook, hooks.register-hook.semantics

import torch

x = torch.tensor([[1.0, -1.0], [1.0, 1.0]], requires_grad=True)
x.register_hook(lambda grad: grad * 2)

x.pow(2).sum().backward()
print(x.grad)
#> tensor([[ 4., -4.],
#>         [ 4.,  4.]])
