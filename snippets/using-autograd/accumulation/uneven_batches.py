"""Parts of different size are weighted with their fraction of the rows, not with one half each."""

import torch

torch.manual_seed(0)
x = torch.randn(8, 3)
w = torch.zeros(3, requires_grad=True)
target = torch.randn(8)


def loss_of(rows):
    return ((x[rows] @ w - target[rows]) ** 2).mean()


loss_of(slice(0, 8)).backward()
whole = w.grad

w.grad = None
(loss_of(slice(0, 6)) / 2).backward()
(loss_of(slice(6, 8)) / 2).backward()
print(torch.allclose(w.grad, whole))
#> False

w.grad = None
(loss_of(slice(0, 6)) * 6 / 8).backward()
(loss_of(slice(6, 8)) * 2 / 8).backward()
print(torch.allclose(w.grad, whole))
#> True
