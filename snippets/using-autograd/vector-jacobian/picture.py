"""The gradient of sixty-four weights, from one zero and one one."""

import torch
from sklearn.datasets import load_digits

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

X, y = pictures[:2], torch.tensor([0.0, 1.0])  # picture 0 is a zero, picture 1 a one
w = torch.zeros(64, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)

loss = ((X @ w + b - y) ** 2).mean()
loss.backward()
print(w.grad.shape, b.grad.shape)
#> torch.Size([64]) torch.Size([])
print((w.grad * 16).round().int().reshape(8, 8))
#> tensor([[ 0,  0,  2,  0, -2, -2,  0,  0],
#>         [ 0,  0,  6,  2, -3,  3,  2,  0],
#>         [ 0,  2,  6, -6, -8,  2,  4,  0],
#>         [ 0, -2, -2, -8, -8,  3,  4,  0],
#>         [ 0,  2,  4, -8, -8,  3,  4,  0],
#>         [ 0,  2,  5, -8, -8,  3,  4,  0],
#>         [ 0,  1,  6, -6, -3,  3,  0,  0],
#>         [ 0,  0,  3,  1, -3, -5,  0,  0]], dtype=torch.int32)
print(torch.equal(w.grad, (X[0] - X[1]) / 2))
#> True
