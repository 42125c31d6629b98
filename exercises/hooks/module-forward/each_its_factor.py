"""A hook on each of three weights should multiply its gradient by a different factor, but all three hooks multiply by 10.

Repair the loop, so that the factors are 0.1, 1 and 10.
"""
# exercise: repair
# covers: hooks.hook-as-method
# about: hooks/module-forward.md#the-name-of-the-layer
# hint: The lambda looks up `factor` when it is called, and by then the loop has ended.
# hint: Python evaluates the default of an argument when it creates the lambda.

# %% start
import torch
from torch import nn

torch.manual_seed(0)
layers = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 1))
factors = [0.1, 1.0, 10.0]

for layer, factor in zip(layers, factors):
    layer.weight.register_hook(lambda grad: grad * factor)

x = torch.tensor([[1.0, -2.0, 3.0]])
layers(x).sum().backward()
print([layer.weight.grad.norm().item() for layer in layers])

# %% solution
# -     layer.weight.register_hook(lambda grad: grad * factor)
# +     layer.weight.register_hook(lambda grad, factor=factor: grad * factor)

# %% right: a function that makes the hook
# - for layer, factor in zip(layers, factors):
# -     layer.weight.register_hook(lambda grad: grad * factor)
# + def times(factor):
# +     return lambda grad: grad * factor
# +
# +
# + for layer, factor in zip(layers, factors):
# +     layer.weight.register_hook(times(factor))

# %% check
_copies = [_layer.weight.detach().clone().requires_grad_() for _layer in layers]
_h = x
for _layer, _copy in zip(layers, _copies, strict=True):
    _h = _h @ _copy.T + _layer.bias.detach()
_h.sum().backward()
_ratios = [(_layer.weight.grad.norm() / _copy.grad.norm()).item() for _layer, _copy in zip(layers, _copies, strict=True)]
assert any(abs(_ratio - 10) > 1e-3 for _ratio in _ratios), "All three gradients are multiplied by 10, because each hook reads the last value of `factor` when it is called."
assert any(abs(_ratio - 1) > 1e-3 for _ratio in _ratios), "All three gradients are unchanged. A hook must return the new gradient."
assert all(abs(_ratio - _factor) < 1e-3 for _ratio, _factor in zip(_ratios, (0.1, 1.0, 10.0), strict=True)), "The gradients are multiplied, but not by 0.1, 1 and 10. Multiply the gradient of each weight by its own factor, and only once."

# %% wrong: bound, and nothing returned
# -     layer.weight.register_hook(lambda grad: grad * factor)
# +     layer.weight.register_hook(lambda grad, factor=factor: print(grad * factor))

# %% wrong: a hook on the layer
# -     layer.weight.register_hook(lambda grad: grad * factor)
# +     layer.register_full_backward_pre_hook(lambda module, grad_output, factor=factor: (grad_output[0] * factor,))
