"""The gradient of 64 weights, computed from one zero and one one."""

import torch
from sklearn.datasets import load_digits

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

X, y = images[:2], labels[:2].float()  # picture 0 is a zero, picture 1 is a one
w = torch.zeros(64, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

loss = ((X @ w + b - y) ** 2).mean()
loss.backward()
print(w.grad.shape, b.grad.shape)
#> torch.Size([64]) torch.Size([])
print(torch.equal(w.grad, (X[0] - X[1]) / 2))
#> True
