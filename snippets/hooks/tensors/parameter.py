"""A hook on a parameter prints the gradient and replaces it by its half."""
# covers: hooks.register-hook.param-example

import torch

torch.manual_seed(0)
w = torch.nn.Parameter(torch.rand(2, 2))


def print_and_halve(grad):
    print("gradient:", grad)
    return grad / 2


w.register_hook(print_and_halve)
loss = ((w - 1) ** 2).mean()

print("before backward:", w.grad)
#> before backward: None
loss.backward()
#> gradient: tensor([[-0.2519, -0.1159],
#>         [-0.4558, -0.4340]])
print("after backward: ", w.grad)
#> after backward:  tensor([[-0.1259, -0.0579],
#>         [-0.2279, -0.2170]])
