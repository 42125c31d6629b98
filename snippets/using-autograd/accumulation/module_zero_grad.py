"""A module clears all of its parameters, the optimizer only those it was given."""

import torch

model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD([model.weight], lr=0.1)

model(torch.ones(1, 2)).sum().backward()
optimizer.zero_grad()
print(model.weight.grad, model.bias.grad)
#> None tensor([1.])

model.zero_grad()
print(model.weight.grad, model.bias.grad)
#> None None
