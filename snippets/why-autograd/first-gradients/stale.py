"""The model has changed, but the rule that was found on paper has not."""
# covers: autograd.why-numpy

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def loss(w):
    return ((torch.sigmoid(w * x) - y) ** 2).mean()  # was: ((w * x - y) ** 2).mean()


def slope(w):
    return (2 * (w * x - y) * x).mean()  # nobody touched this line


print(slope(0.0))
#> tensor(-0.8750)

w = torch.tensor(0.0, requires_grad=True)
loss(w).backward()
print(w.grad)
#> tensor(-0.0938)

h = 1e-2
print((loss(h) - loss(-h)) / (2 * h))
#> tensor(-0.0938)
