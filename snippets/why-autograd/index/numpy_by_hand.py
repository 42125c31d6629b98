"""NumPy can compute both passes if you write the derivative yourself."""
# covers: theory.two-phases

import numpy as np

import torch

x = np.array([1.0, 2.0])
target = np.array([3.0, 5.0])


def forward(w):
    return np.mean((w * x - target) ** 2)


def backward(w):
    return np.mean(2 * (w * x - target) * x)  # derived on paper


print(forward(1.0), backward(1.0))
#> 6.5 -8.0

w = torch.tensor(1.0, requires_grad=True)
loss = ((w * torch.tensor([1.0, 2.0]) - torch.tensor([3.0, 5.0])) ** 2).mean()
loss.backward()
print(loss.item(), w.grad.item())
#> 6.5 -8.0
