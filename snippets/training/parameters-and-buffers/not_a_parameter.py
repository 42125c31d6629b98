"""The result of an operation on a `Parameter` is a plain tensor."""
# covers: module.parameter-registration

import torch
from torch import nn

layer = nn.Linear(2, 1)
layer.doubled = 2 * layer.weight
print(type(layer.doubled).__name__, [name for name, _ in layer.named_parameters()])
#> Tensor ['weight', 'bias']

try:
    layer.weight = torch.ones(1, 2)
except TypeError as error:
    print(error)
#> cannot assign 'torch.FloatTensor' as parameter 'weight' (torch.nn.Parameter or None expected)

layer.weight = nn.Parameter(torch.ones(1, 2))
print(layer.weight)
#> Parameter containing:
#> tensor([[1., 1.]], requires_grad=True)

frozen = nn.Parameter(torch.ones(2), requires_grad=False)
print(frozen)
#> Parameter containing:
#> tensor([1., 1.])

nn.Parameter(torch.tensor([1, 2]))
#! RuntimeError: Only Tensors of floating point and complex dtype can require gradients
