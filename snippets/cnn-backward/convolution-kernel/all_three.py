"""The three gradients of a convolution with stride and padding agree with PyTorch's and with finite differences."""
# covers: cnn.conv-input-error cnn.conv-weight-grad cnn.conv-bias-grad

import torch
import torch.nn.functional as F


class Conv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b, stride, padding):
        ctx.save_for_backward(x, w)
        ctx.stride, ctx.padding = stride, padding
        return F.conv2d(x, w, b, stride, padding)

    @staticmethod
    def backward(ctx, delta):
        x, w = ctx.saved_tensors
        s, p = ctx.stride, ctx.padding
        padded = F.pad(x, (p, p, p, p))
        # A stride puts zeros between the errors.
        spread = torch.zeros(*delta.shape[:2], (delta.shape[2] - 1) * s + 1, (delta.shape[3] - 1) * s + 1, dtype=x.dtype)
        spread[:, :, ::s, ::s] = delta

        # The kernel: the padded input, correlated with the errors. Rows that no window reached make it too large.
        grad_w = F.conv2d(padded.transpose(0, 1), spread.transpose(0, 1)).transpose(0, 1)
        grad_w = grad_w[:, :, : w.shape[2], : w.shape[3]]

        # The input: the errors, correlated with the rotated kernel. Those rows keep 0, and the frame is cut off.
        k = w.shape[2] - 1, w.shape[3] - 1
        grad_x = torch.zeros_like(padded)
        error = F.conv2d(F.pad(spread, (k[1], k[1], k[0], k[0])), w.flip(2, 3).transpose(0, 1))
        grad_x[:, :, : error.shape[2], : error.shape[3]] = error
        grad_x = grad_x[:, :, p : p + x.shape[2], p : p + x.shape[3]]
        return grad_x, grad_w, delta.sum(dim=(0, 2, 3)), None, None


torch.manual_seed(0)
x = torch.randn(2, 3, 8, 6, dtype=torch.float64, requires_grad=True)
w = torch.randn(4, 3, 3, 2, dtype=torch.float64, requires_grad=True)
b = torch.randn(4, dtype=torch.float64, requires_grad=True)
y = Conv2d.apply(x, w, b, 2, 1)
delta = torch.randn_like(y)
by_hand = torch.autograd.grad(y, (x, w, b), delta)
by_torch = torch.autograd.grad(F.conv2d(x, w, b, 2, 1), (x, w, b), delta)
print([torch.allclose(a, t) for a, t in zip(by_hand, by_torch)])
#> [True, True, True]
print(torch.autograd.gradcheck(lambda x, w, b: Conv2d.apply(x, w, b, 2, 1), (x, w, b)))
#> True
