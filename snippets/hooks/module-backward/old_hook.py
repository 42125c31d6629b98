"""The deprecated `register_backward_hook` receives the gradients of the module's last node."""
# covers: hooks.module-backward-hook, hooks.backward-hook-tuple-order

import torch
from torch import nn


def show(module, grad_input, grad_output):
    shapes = [None if g is None else tuple(g.shape) for g in grad_input]
    print(type(module).__name__, shapes)


torch.manual_seed(0)
# Registering does not warn, nor does a module of a single node behind another layer.
relu = nn.ReLU()
relu.register_backward_hook(show)
relu(nn.Linear(3, 2)(torch.ones(4, 3))).sum().backward()
#> ReLU [(4, 2)]

# A module that makes several nodes warns when it is called.
linear = nn.Linear(3, 2)
linear.register_backward_hook(show)
y = linear(torch.ones(4, 3, requires_grad=True))
#~ FutureWarning: Using a non-full backward hook when the forward contains multiple autograd Nodes is deprecated and will be removed in future versions. This hook will be missing some grad_input. Please use register_full_backward_hook to get the documented behavior.
y.sum().backward()
#> Linear [(2,), (4, 3), (3, 2)]

without_bias = nn.Linear(3, 2, bias=False)
without_bias.register_backward_hook(show)
without_bias(torch.ones(4, 3, requires_grad=True)).sum().backward()
#> Linear [(4, 3), (3, 2)]

# The same layer, with one dimension more in front.
linear(torch.ones(5, 4, 3, requires_grad=True)).sum().backward()
#> Linear [(20, 2)]

convolution = nn.Conv2d(1, 2, 3)
convolution.register_backward_hook(show)
convolution(torch.ones(1, 1, 5, 5, requires_grad=True)).sum().backward()
#> Conv2d [(1, 1, 5, 5), (2, 1, 3, 3), (2,)]

# A container: the gradients of its last layer, none for its input.
model = nn.Sequential(nn.Linear(3, 7), nn.ReLU(), nn.Linear(7, 2))
model.register_backward_hook(show)
model(torch.ones(4, 3, requires_grad=True)).sum().backward()
#> Sequential [(2,), (4, 7), (7, 2)]
