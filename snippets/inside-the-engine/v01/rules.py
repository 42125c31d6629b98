"""The three rules of the old engine, beside what PyTorch computes today."""
# covers: engine-v01.sub-mul-div

import torch

a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(4.0, requires_grad=True)
g = torch.tensor(10.0)  # the gradient that arrives

print(torch.autograd.grad(a - b, (a, b), g), (g, -g))
#> (tensor(10.), tensor(-10.)) (tensor(10.), tensor(-10.))
with torch.no_grad():
    by_rule = g * b, g * a
print(torch.autograd.grad(a * b, (a, b), g), by_rule)
#> (tensor(40.), tensor(30.)) (tensor(40.), tensor(30.))
with torch.no_grad():
    by_rule = g / b, -g * a / b / b
print(torch.autograd.grad(a / b, (a, b), g), by_rule)
#> (tensor(2.5000), tensor(-1.8750)) (tensor(2.5000), tensor(-1.8750))
