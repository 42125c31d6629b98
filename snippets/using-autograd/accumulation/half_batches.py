"""Two half batches give the gradient of the whole batch, if the loss is divided."""
# covers: autograd.grad-accumulates

import torch

torch.manual_seed(0)
x = torch.randn(8, 3)
w = torch.zeros(3, requires_grad=True)
target = torch.randn(8)


def loss_of(rows):
    return ((x[rows] @ w - target[rows]) ** 2).mean()


loss_of(slice(0, 8)).backward()
print(w.grad)
#> tensor([ 0.9595, -0.4704, -1.0399])

# Twice as large: two means are added up.
w.grad = None
loss_of(slice(0, 4)).backward()
loss_of(slice(4, 8)).backward()
print(w.grad)
#> tensor([ 1.9190, -0.9407, -2.0797])

w.grad = None
(loss_of(slice(0, 4)) / 2).backward()
(loss_of(slice(4, 8)) / 2).backward()
print(w.grad)
#> tensor([ 0.9595, -0.4704, -1.0399])
