"""The convolution adds a frame of zeros around the picture, so that the result is as large as the picture, but `backward` ignores this frame.

Repair `backward`, so that both gradients are right.
"""
# exercise: repair
# covers: function.conv2d
# about: cnn-backward/layers-as-functions.md#a-convolution
# hint: Without a change, the transposed convolution returns the gradient of the picture together with its frame, 7 by 7 numbers.
# hint: The weights have also been multiplied by the zeros of the frame. So the picture needs its frame in `backward`, where the gradient of the weights is computed.

# %% start
import torch
import torch.nn.functional as F


class Framed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return F.conv2d(x, weight, padding=1)

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        grad_x = F.conv_transpose2d(g, weight)
        grad_weight = F.conv2d(x.transpose(0, 1), g.transpose(0, 1)).transpose(0, 1)
        return grad_x, grad_weight


torch.manual_seed(0)
x = torch.rand(2, 3, 5, 5, dtype=torch.float64, requires_grad=True)
weight = torch.rand(4, 3, 3, 3, dtype=torch.float64, requires_grad=True)
Framed.apply(x, weight).sum().backward()
print(x.grad.shape, weight.grad.shape)

# %% solution
# -         grad_x = F.conv_transpose2d(g, weight)
# -         grad_weight = F.conv2d(x.transpose(0, 1), g.transpose(0, 1)).transpose(0, 1)
# +         grad_x = F.conv_transpose2d(g, weight, padding=1)
# +         grad_weight = F.conv2d(x.transpose(0, 1), g.transpose(0, 1), padding=1).transpose(0, 1)

# %% right: the frame by hand
# -         grad_x = F.conv_transpose2d(g, weight)
# -         grad_weight = F.conv2d(x.transpose(0, 1), g.transpose(0, 1)).transpose(0, 1)
# +         grad_x = F.conv_transpose2d(g, weight)[:, :, 1:-1, 1:-1]
# +         framed = F.pad(x, (1, 1, 1, 1))
# +         grad_weight = F.conv2d(framed.transpose(0, 1), g.transpose(0, 1)).transpose(0, 1)

# %% check
_x, _w = (one.detach().clone().requires_grad_() for one in (x, weight))
_y = Framed.apply(_x, _w)
_true = F.conv2d(_x, _w, padding=1)
assert _y.shape == _true.shape and torch.allclose(_y, _true), "The result has changed. Leave `forward` as it is, with its frame."
_g = torch.rand(2, 4, 5, 5, dtype=torch.float64)
_own, _right = (torch.autograd.grad(one, [_x, _w], _g) for one in (_y, _true))
assert torch.allclose(_own[0], _right[0]), "The shapes are right, but the gradient of the picture is wrong. Remove the frame on all four sides."
assert torch.allclose(_own[1], _right[1]), "The gradient of the picture is right, but that of the kernel isn't. Its weights were also multiplied by the zeros of the frame."

# %% wrong: without the frame
# -         return F.conv2d(x, weight, padding=1)
# +         return F.conv2d(x, weight)

# %% wrong: removed on one side
# -         grad_x = F.conv_transpose2d(g, weight)
# -         grad_weight = F.conv2d(x.transpose(0, 1), g.transpose(0, 1)).transpose(0, 1)
# +         grad_x = F.conv_transpose2d(g, weight)[:, :, :5, :5]
# +         grad_weight = F.conv2d(x.transpose(0, 1), g.transpose(0, 1), padding=1).transpose(0, 1)

# %% wrong: the gradient is cut to fit the picture
# -         grad_x = F.conv_transpose2d(g, weight)
# -         grad_weight = F.conv2d(x.transpose(0, 1), g.transpose(0, 1)).transpose(0, 1)
# +         grad_x = F.conv_transpose2d(g, weight, padding=1)
# +         inner = g[:, :, 1:-1, 1:-1]
# +         grad_weight = F.conv2d(x.transpose(0, 1), inner.transpose(0, 1)).transpose(0, 1)

# %% wrong: the input alone
# error: RuntimeError: Function FramedBackward returned an invalid gradient at index 1 ...
# hint: Half of it is done, but the gradient of the kernel has the wrong shape. Its weights were also multiplied by the zeros of the frame.
# -         grad_x = F.conv_transpose2d(g, weight)
# +         grad_x = F.conv_transpose2d(g, weight, padding=1)
