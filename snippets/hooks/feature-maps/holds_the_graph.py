"""A feature map that is stored without `detach` keeps its whole graph alive."""

import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(3, 2)
kept = []
layer.register_forward_hook(lambda module, inputs, output: kept.append(output))
layer.register_forward_hook(lambda module, inputs, output: kept.append(output.detach()))

layer(torch.ones(1, 3))
print(kept[0].grad_fn is not None, kept[1].grad_fn is None)
#> True True

# The one with a graph can still be differentiated, the other can't.
kept[0].sum().backward()
print(layer.bias.grad)
#> tensor([1., 1.])
kept[1].sum().backward()
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
