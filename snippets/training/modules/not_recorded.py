"""When forward builds no graph, or a broken one."""
# covers: module.forward-auto-backward

import torch
from torch import nn

layer = nn.Linear(2, 2)
x = torch.ones(1, 2)

with torch.no_grad():
    print(layer(x).grad_fn)
#> None

layer.requires_grad_(False)
print(layer(x).grad_fn)
#> None
layer.requires_grad_(True)

scores = layer(x)
print(scores.argmax(dim=1).requires_grad, scores.round().requires_grad, scores.detach().requires_grad)
#> False True False

scores.round().sum().backward()
print(layer.weight.grad)
#> tensor([[0., 0.],
#>         [0., 0.]])

torch.tensor(scores.sum().item()).backward()
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
