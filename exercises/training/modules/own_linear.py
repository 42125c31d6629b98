"""Write a linear layer with two registered parameters, `weight` of the shape (outputs, inputs) and `bias` of the shape (outputs,).

Fill both with `torch.randn`, divided by 10, and let `forward` return the same scores as `nn.Linear` with these two tensors.
"""
# exercise: write
# covers: module.linear-model module.parameter-registration
# about: training/modules.md#a-module-is-a-register
# hint: Assign two attributes in the constructor. `forward` needs one line.
# hint: A module registers an `nn.Parameter`. Divide before you make one: the result of a division is an ordinary tensor.

# %% start
import torch
from torch import nn


class MyLinear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()

    def forward(self, x):
        return x


torch.manual_seed(0)
layer = MyLinear(64, 10)
print([(name, tuple(p.shape)) for name, p in layer.named_parameters()])

# %% solution
# - class MyLinear(nn.Module):
# -     def __init__(self, inputs, outputs):
# -         super().__init__()
# -
# -     def forward(self, x):
# -         return x
# + class MyLinear(nn.Module):
# +     def __init__(self, inputs, outputs):
# +         super().__init__()
# +         self.weight = nn.Parameter(torch.randn(outputs, inputs) / 10)
# +         self.bias = nn.Parameter(torch.randn(outputs) / 10)
# +
# +     def forward(self, x):
# +         return x @ self.weight.T + self.bias

# %% check
torch.manual_seed(1)
_layer = MyLinear(3, 2)
_names = sorted(_name for _name, _ in _layer.named_parameters())
assert _names != ["bias"], "Only `bias` is registered. The quotient of a `Parameter` and 10 is an ordinary tensor, so `weight` isn't a `Parameter`."
assert _names == ["bias", "weight"], f"The registered parameters are {_names}. There must be two, named `weight` and `bias`."
assert _layer.weight.shape == (2, 3) and _layer.bias.shape == (2,), "For 3 inputs and 2 outputs, `weight` must have the shape (2, 3) and `bias` the shape (2,), as in `nn.Linear`."
assert 0 < _layer.weight.detach().abs().max() < 0.6 and 0 < _layer.bias.detach().abs().max() < 0.6, "The numbers of both parameters must come from `torch.randn`, divided by 10."
try:
    _scores = _layer(torch.randn(5, 3)).shape
except RuntimeError:
    _scores = None
assert _scores == (5, 2), "`forward` must return a row of scores for each row of `x`: for 5 rows of 3 inputs, 5 rows of 2 scores. Multiply `x` by the transposed weights."
_model = nn.Linear(3, 2)
_model.load_state_dict(_layer.state_dict())
for _x in (torch.ones(3), torch.randn(5, 3), torch.randn(4, 5, 3)):
    assert _layer(_x).shape == _model(_x).shape and torch.allclose(_layer(_x), _model(_x), atol=1e-6), "`nn.Linear` with the same two tensors returns other scores. Does `forward` add the bias?"

# %% wrong: divided after it was registered
# -     def __init__(self, inputs, outputs):
# -         super().__init__()
# -
# -     def forward(self, x):
# -         return x
# +     def __init__(self, inputs, outputs):
# +         super().__init__()
# +         self.weight = nn.Parameter(torch.randn(outputs, inputs)) / 10
# +         self.bias = nn.Parameter(torch.randn(outputs) / 10)
# +
# +     def forward(self, x):
# +         return x @ self.weight.T + self.bias

# %% wrong: the other way round
# -     def __init__(self, inputs, outputs):
# -         super().__init__()
# -
# -     def forward(self, x):
# -         return x
# +     def __init__(self, inputs, outputs):
# +         super().__init__()
# +         self.weight = nn.Parameter(torch.randn(inputs, outputs) / 10)
# +         self.bias = nn.Parameter(torch.randn(outputs) / 10)
# +
# +     def forward(self, x):
# +         return x @ self.weight + self.bias

# %% wrong: undivided
# -     def __init__(self, inputs, outputs):
# -         super().__init__()
# -
# -     def forward(self, x):
# -         return x
# +     def __init__(self, inputs, outputs):
# +         super().__init__()
# +         self.weight = nn.Parameter(torch.randn(outputs, inputs))
# +         self.bias = nn.Parameter(torch.randn(outputs))
# +
# +     def forward(self, x):
# +         return x @ self.weight.T + self.bias

# %% wrong: the weights on the left
# -     def __init__(self, inputs, outputs):
# -         super().__init__()
# -
# -     def forward(self, x):
# -         return x
# +     def __init__(self, inputs, outputs):
# +         super().__init__()
# +         self.weight = nn.Parameter(torch.randn(outputs, inputs) / 10)
# +         self.bias = nn.Parameter(torch.randn(outputs) / 10)
# +
# +     def forward(self, x):
# +         return self.weight @ x + self.bias

# %% wrong: no bias in the result
# -     def __init__(self, inputs, outputs):
# -         super().__init__()
# -
# -     def forward(self, x):
# -         return x
# +     def __init__(self, inputs, outputs):
# +         super().__init__()
# +         self.weight = nn.Parameter(torch.randn(outputs, inputs) / 10)
# +         self.bias = nn.Parameter(torch.randn(outputs) / 10)
# +
# +     def forward(self, x):
# +         return x @ self.weight.T
