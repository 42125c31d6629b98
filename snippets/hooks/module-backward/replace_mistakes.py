"""Two wrong results and an assignment to the tuple raise errors, but a write into its tensor doesn't."""
# covers: hooks.backward-hook-replace

import torch
from torch import nn

layer = nn.Linear(2, 1)
nn.init.ones_(layer.weight)
x = torch.tensor([[3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], requires_grad=True)


def assigns(module, grad_input, grad_output):
    grad_input[0] = grad_input[0] * 100


def returns_two(module, grad_input, grad_output):
    return grad_input[0], grad_input[0]


def returns_no_tuple(module, grad_input, grad_output):
    return grad_input[0] * 100


def writes_into_it(module, grad_input, grad_output):
    grad_input[0].mul_(100)


for hook in (assigns, returns_two, returns_no_tuple):
    try:
        with layer.register_full_backward_hook(hook):
            layer(x).sum().backward()
    except (TypeError, RuntimeError) as error:
        print(f"{type(error).__name__}: {error}")
#> TypeError: 'tuple' object does not support item assignment
#> RuntimeError: Backward hook returned an invalid number of grad_input, got 2, but expected 1
#> RuntimeError: Backward hook returned an invalid number of grad_input, got 3, but expected 1

with layer.register_full_backward_hook(writes_into_it):
    layer(x).sum().backward()
print(x.grad)
#> tensor([[100., 100.],
#>         [100., 100.],
#>         [100., 100.]])
