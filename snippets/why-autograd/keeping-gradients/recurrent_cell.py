"""`backward` leaves gradients at the leaves, and not at every node."""
# covers: autograd.overview

import warnings

import torch

torch.manual_seed(0)
x, prev_h = torch.randn(1, 10), torch.randn(1, 20)
W_h = torch.randn(20, 20, requires_grad=True)
W_x = torch.randn(20, 10, requires_grad=True)

i2h = torch.mm(W_x, x.t())
h2h = torch.mm(W_h, prev_h.t())
next_h = (i2h + h2h).tanh()
loss = next_h.sum()
for tensor in (i2h, h2h, next_h, loss):
    print(type(tensor.grad_fn).__name__)
#> MmBackward0
#> MmBackward0
#> TanhBackward0
#> SumBackward0

loss.backward()
print(W_h.grad.shape, W_x.grad.shape)
#> torch.Size([20, 20]) torch.Size([20, 10])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(i2h.grad, h2h.grad, next_h.grad, loss.grad)
#> None None None None
