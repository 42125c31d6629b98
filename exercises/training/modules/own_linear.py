"""Write a linear layer: `weight` of shape (outputs, inputs), `bias` of shape (outputs,), both trained, both drawn by `torch.randn` and divided by 10."""
# exercise: write
# covers: module.linear-model module.parameter-registration
# about: training/modules.md#a-module-is-a-register
# hint: Two attributes made in the constructor, and one line in `forward`.
# hint: `nn.Parameter(tensor)` files a tensor. Divide first: the result of an operation is no Parameter.

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
assert _names != ["bias"], "Only `bias` is filed. Was `weight` still a Parameter after the division?"
assert _names == ["bias", "weight"], f"`named_parameters` lists {_names}. It is to list `bias` and `weight`."
assert _layer.weight.shape == (2, 3) and _layer.bias.shape == (2,), "The shapes are to be (outputs, inputs) and (outputs,), as in `nn.Linear`."
assert 0 < _layer.weight.detach().abs().max() < 0.6 and 0 < _layer.bias.detach().abs().max() < 0.6, "The numbers are to be those of `torch.randn`, divided by 10."
_model = nn.Linear(3, 2)
_model.load_state_dict(_layer.state_dict())
for _x in (torch.ones(3), torch.randn(5, 3), torch.randn(4, 5, 3)):
    assert _layer(_x).shape == _model(_x).shape and torch.allclose(_layer(_x), _model(_x), atol=1e-6), "The result isn't that of `nn.Linear` with the same two tensors. Is the bias in it?"

# %% wrong: divided after it was filed
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
