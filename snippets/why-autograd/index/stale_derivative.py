"""A derivative that was written by hand becomes wrong when the model changes."""
# covers: autograd.why-numpy

import torch

x, target = 2.0, 10.0


def forward(w):
    return (w**2 * x - target) ** 2  # was: (w * x - target) ** 2


def backward(w):
    return 2 * (w * x - target) * x  # nobody changed this line


print(backward(3.0))
#> -16.0

w = torch.tensor(3.0, requires_grad=True)
forward(w).backward()
print(w.grad)
#> tensor(192.)

h = 1e-4
print(round((forward(3.0 + h) - forward(3.0 - h)) / (2 * h), 3))
#> 192.0
