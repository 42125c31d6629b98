"""Write `gradient_at(model, layer, x)`, which returns the gradient of `model(x).sum()` with respect to the output of `layer`.

Leave the model as it was: remove all hooks, and fill no `.grad`.
"""
# exercise: write
# covers: hooks.forward-hook-usecase
# about: hooks/inner-gradients.md#three-ways
# hint: A forward hook on `layer` receives its output while the model runs.
# hint: `torch.autograd.grad(result, tensor)` returns a tuple and fills no `.grad`.

# %% start
import torch
from torch import nn


def gradient_at(model, layer, x):
    return torch.zeros(1)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
x = torch.tensor([[1.0, -2.0, 3.0]])
print(gradient_at(model, model[1], x))

# %% solution
# -     return torch.zeros(1)
# +     kept = []
# +     with layer.register_forward_hook(lambda module, inputs, output: kept.append(output)):
# +         result = model(x).sum()
# +     (gradient,) = torch.autograd.grad(result, kept[0])
# +     return gradient

# %% check
_model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
_tanh = gradient_at(_model, _model[1], x)
_first = gradient_at(_model, _model[0], x)
_expected = _model[2].weight.detach().sum(0)[None]
_slope = 1 - torch.tanh(x @ _model[0].weight.T + _model[0].bias).detach() ** 2
_hooks = [len(_layer._forward_hooks) + len(_layer._backward_hooks) for _layer in _model]
assert isinstance(_tanh, torch.Tensor), "Return the gradient as a tensor. `torch.autograd.grad` returns a tuple."
assert _tanh.shape == (1, 4), f"The gradient has the shape {tuple(_tanh.shape)}. It should have the shape of the layer's output."
assert not torch.allclose(_tanh, _expected * _slope, atol=1e-6), "This is the gradient with respect to the layer's input. Return the gradient with respect to its output."
assert torch.allclose(_tanh, _expected, atol=1e-6) and torch.allclose(_first, _expected * _slope, atol=1e-6), "The shape is right, but this isn't the gradient of `model(x).sum()`."
assert not any(_hooks), "The gradient is right, but a hook is still registered on the model."
assert all(_p.grad is None for _p in _model.parameters()), "The gradient is right, but the parameters' `.grad` is filled now. The next optimizer step would use it."

# %% wrong: the tuple
# -     return torch.zeros(1)
# +     kept = []
# +     with layer.register_forward_hook(lambda module, inputs, output: kept.append(output)):
# +         result = model(x).sum()
# +     return torch.autograd.grad(result, kept[0])

# %% wrong: backward and retain_grad
# -     return torch.zeros(1)
# +     kept = []
# +     with layer.register_forward_hook(lambda module, inputs, output: kept.append(output)):
# +         result = model(x).sum()
# +     kept[0].retain_grad()
# +     result.backward()
# +     return kept[0].grad

# %% wrong: a hook left behind
# -     return torch.zeros(1)
# +     kept = []
# +     layer.register_forward_hook(lambda module, inputs, output: kept.append(output))
# +     (gradient,) = torch.autograd.grad(model(x).sum(), kept)
# +     return gradient

# %% wrong: the gradient at the input
# -     return torch.zeros(1)
# +     kept = []
# +     with layer.register_forward_hook(lambda module, inputs, output: kept.append(inputs[0])):
# +         result = model(x.clone().requires_grad_()).sum()
# +     (gradient,) = torch.autograd.grad(result, kept[0])
# +     return gradient

# %% wrong: the mean of the model
# -     return torch.zeros(1)
# +     kept = []
# +     with layer.register_forward_hook(lambda module, inputs, output: kept.append(output)):
# +         result = model(x).mean()
# +     (gradient,) = torch.autograd.grad(result, kept[0])
# +     return gradient
