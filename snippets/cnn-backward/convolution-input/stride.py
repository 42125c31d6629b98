"""With a stride, zeros are inserted between the errors, and `conv_transpose2d` does this by itself."""

import torch
import torch.nn.functional as F

x = torch.zeros(1, 1, 1, 5, requires_grad=True)
w = torch.tensor([[[[1.0, 2.0, 3.0]]]])
delta = torch.tensor([[[[1.0, 10.0]]]])
F.conv2d(x, w, stride=2).backward(delta)
print(x.grad)
#> tensor([[[[ 1.,  2., 13., 20., 30.]]]])

print(F.conv2d(F.pad(delta, (2, 2)), w.flip(3)))
#> tensor([[[[ 1., 12., 23., 30.]]]])

spread = torch.zeros(1, 1, 1, 3)
spread[..., ::2] = delta
print(F.conv2d(F.pad(spread, (2, 2)), w.flip(3)))
#> tensor([[[[ 1.,  2., 13., 20., 30.]]]])
print(F.conv_transpose2d(delta, w, stride=2))
#> tensor([[[[ 1.,  2., 13., 20., 30.]]]])

# Six numbers in: no window reaches the last, and only `output_padding` gives it a place.
wider = torch.zeros(1, 1, 1, 6, requires_grad=True)
F.conv2d(wider, w, stride=2).backward(delta)
print(wider.grad)
#> tensor([[[[ 1.,  2., 13., 20., 30.,  0.]]]])
print(F.conv_transpose2d(delta, w, stride=2).shape[-1])
#> 5
print(F.conv_transpose2d(delta, w, stride=2, output_padding=(0, 1)))
#> tensor([[[[ 1.,  2., 13., 20., 30.,  0.]]]])

# Two channels in, three out: autograd computes the same.
pictures = torch.arange(50.0).reshape(1, 2, 5, 5).requires_grad_()
kernels = torch.arange(54.0).reshape(3, 2, 3, 3)
y = F.conv2d(pictures, kernels, stride=2)
y.sum().backward()
print(torch.equal(F.conv_transpose2d(torch.ones_like(y), kernels, stride=2), pictures.grad))
#> True
