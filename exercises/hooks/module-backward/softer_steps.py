"""A hook should make the gradients of `first` ten times smaller, but with this hook the parameters of `first` keep their full gradients.

Repair it. All gradients of `first`, and the gradient of `x`, should be a tenth, and `second` should keep its full gradients.
"""
# exercise: repair
# covers: hooks.backward-hook-replace
# about: hooks/module-backward.md#replace
# hint: When the hook is called, the gradients of the weights of `first` have already been computed.
# hint: The gradient that arrives at `first` is its `grad_output`. Pick a hook that runs before the backward pass of `first`.

# %% start
import torch
from torch import nn

torch.manual_seed(0)
first, second = nn.Linear(3, 4), nn.Linear(4, 2)


def tenth(module, grad_input, grad_output):
    return tuple(grad / 10 for grad in grad_input)


first.register_full_backward_hook(tenth)

x = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
second(torch.tanh(first(x))).sum().backward()
print(first.weight.grad[0], x.grad)

# %% solution
# - def tenth(module, grad_input, grad_output):
# -     return tuple(grad / 10 for grad in grad_input)
# + def tenth(module, grad_output):
# +     return tuple(grad / 10 for grad in grad_output)

# - first.register_full_backward_hook(tenth)
# + first.register_full_backward_pre_hook(tenth)

# %% right: what leaves `second`
# - first.register_full_backward_hook(tenth)
# + second.register_full_backward_hook(tenth)

# %% check
_weights = [_one.detach().clone().requires_grad_() for _one in (first.weight, first.bias, second.weight, second.bias)]
_x = x.detach().clone().requires_grad_()
(torch.tanh(_x @ _weights[0].T + _weights[1]) @ _weights[2].T + _weights[3]).sum().backward()
_ratio = [(_a.grad.abs().sum() / _b.grad.abs().sum()).item() for _a, _b in zip((*first.parameters(), *second.parameters(), x), (*_weights, _x), strict=True)]
assert abs(_ratio[0] - 1) > 1e-3, "The weight of `first` has its full gradient, because your hook runs after this gradient has been computed."
assert abs(_ratio[2] - 1) < 1e-3 and abs(_ratio[3] - 1) < 1e-3, "`second` should keep its full gradients, but they are smaller now as well."
assert abs(_ratio[0] - 0.1) < 1e-3 and abs(_ratio[1] - 0.1) < 1e-3, "The gradients of the weight and of the bias of `first` should both be a tenth."
assert abs(_ratio[4] - 0.1) < 1e-3, "The gradients of the parameters are right, but the gradient of `x` was divided by ten twice."

# %% wrong: the pre-hook of `second`
# - def tenth(module, grad_input, grad_output):
# -     return tuple(grad / 10 for grad in grad_input)
# + def tenth(module, grad_output):
# +     return tuple(grad / 10 for grad in grad_output)

# - first.register_full_backward_hook(tenth)
# + second.register_full_backward_pre_hook(tenth)

# %% wrong: a hook on the weight alone
# - def tenth(module, grad_input, grad_output):
# -     return tuple(grad / 10 for grad in grad_input)
# + def tenth(grad):
# +     return grad / 10

# - first.register_full_backward_hook(tenth)
# + first.weight.register_hook(tenth)

# %% wrong: both, the hook and the pre-hook
# - first.register_full_backward_hook(tenth)
# + first.register_full_backward_hook(tenth)
# + first.register_full_backward_pre_hook(lambda module, grad_output: tuple(grad / 10 for grad in grad_output))
