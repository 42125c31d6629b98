"""Zero weights have a gradient, too."""

import torch
from sklearn.datasets import load_digits

pictures = torch.from_numpy(load_digits().data).float() / 16
X, y = pictures[:2], torch.tensor([0.0, 1.0])
w = torch.zeros(64, requires_grad=True)

loss = ((X @ w - y) ** 2).mean()
loss.backward()
print(torch.equal(w.grad, torch.zeros(64)))
#> False
print(torch.equal(w.grad, -X[1]))
#> True
