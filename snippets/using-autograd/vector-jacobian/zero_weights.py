"""Weights of 0 have a gradient that isn't 0."""

import torch
from sklearn.datasets import load_digits

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

X, y = images[:2], labels[:2].float()
w = torch.zeros(64, requires_grad=True)

loss = ((X @ w - y) ** 2).mean()
loss.backward()
print(torch.equal(w.grad, torch.zeros(64)))
#> False
print(torch.equal(w.grad, -X[1]))
#> True
