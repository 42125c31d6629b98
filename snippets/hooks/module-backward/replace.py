"""A returned tuple replaces `grad_input`, but doesn't change the gradients of the parameters."""
# covers: hooks.backward-hook-replace

import torch
from torch import nn

layer = nn.Linear(2, 1)
nn.init.ones_(layer.weight)
x = torch.tensor([[3.0, 4.0]], requires_grad=True)

layer(x).backward()
print(x.grad, layer.weight.grad)
#> tensor([[1., 1.]]) tensor([[3., 4.]])

x.grad = layer.weight.grad = None
with layer.register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 100,)):
    layer(x).backward()
print(x.grad, layer.weight.grad)
#> tensor([[100., 100.]]) tensor([[3., 4.]])

# The pre-hook comes before the layer's backward, and may replace grad_output.
x.grad = layer.weight.grad = None
with layer.register_full_backward_pre_hook(lambda module, grad_output: (grad_output[0] * 100,)):
    layer(x).backward()
print(x.grad, layer.weight.grad)
#> tensor([[100., 100.]]) tensor([[300., 400.]])
