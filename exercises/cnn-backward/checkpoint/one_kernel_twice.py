"""One kernel is used in two layers with a `relu` between them. Only a part of its gradient is computed by hand.

Write the rest, so that `by_hand` agrees with the gradient that PyTorch prints. `delta` is the error of the last output `y`. Both layers pad their picture with a frame of one zero.
"""
# exercise: write
# covers: cnn.conv-weight-grad cnn.conv-input-error
# about: cnn-backward/convolution-input.md#from-layer-to-layer
# hint: Each weight is used in both layers, so the gradient is the sum of two contributions.
# hint: For the first layer you need the error of `z`. Take `delta` back through the second layer, then through the `relu`.
# hint: The error of a layer's input is the padded error of its output, convolved with the kernel rotated by 180 degrees, `kernel.flip(2, 3)`.

# %% start
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(1, 1, 4, 4)
kernel = torch.randn(1, 1, 3, 3, requires_grad=True)

z = F.conv2d(x, kernel, padding=1)
a = torch.relu(z)
y = F.conv2d(a, kernel, padding=1)
delta = torch.randn(1, 1, 4, 4)
y.backward(delta)


def frame(t):
    return F.pad(t, (1, 1, 1, 1))


with torch.no_grad():
    by_hand = F.conv2d(frame(a), delta)
print(by_hand[0, 0])
print(kernel.grad[0, 0])

# %% solution
# -     by_hand = F.conv2d(frame(a), delta)
# +     error_of_z = F.conv2d(frame(delta), kernel.flip(2, 3)) * (z > 0)
# +     by_hand = F.conv2d(frame(a), delta) + F.conv2d(frame(x), error_of_z)

# %% right: by the transposed convolution
# -     by_hand = F.conv2d(frame(a), delta)
# +     error_of_z = F.conv_transpose2d(delta, kernel, padding=1) * (z > 0)
# +     by_hand = F.conv2d(frame(a), delta) + F.conv2d(frame(x), error_of_z)

# %% check
_turned = F.conv_transpose2d(delta, kernel.detach(), padding=1)
_last = F.conv2d(F.pad(a.detach(), (1, 1, 1, 1)), delta)
_first = F.conv2d(F.pad(x, (1, 1, 1, 1)), _turned * (z > 0))
_no_slope = F.conv2d(F.pad(x, (1, 1, 1, 1)), _turned)
_not_turned = F.conv2d(F.pad(x, (1, 1, 1, 1)), F.conv2d(delta, kernel.detach(), padding=1) * (z > 0))
assert isinstance(by_hand, torch.Tensor) and by_hand.shape == (1, 1, 3, 3), "`by_hand` must have one number for each weight of the kernel, in the shape of the kernel."
assert not torch.allclose(by_hand, _last, atol=1e-4), "This is the contribution of the second layer. The kernel occurs in the first layer as well."
assert not torch.allclose(by_hand, _first, atol=1e-4), "This is the contribution of the first layer alone. Add that of the second, which the program computed before."
assert not torch.allclose(by_hand, _last + _no_slope, atol=1e-4), "Both contributions are there. But on its way to `z` the error also passes the `relu`."
assert not torch.allclose(by_hand, _last + _not_turned, atol=1e-4), "Both contributions and the `relu` are there. But for the error of an input, the kernel must be rotated."
assert torch.allclose(by_hand, kernel.grad, atol=1e-4), "The sum isn't the gradient of the kernel. Compute the error of `z` first, and compare it with `torch.autograd.grad`."

# %% wrong: the first contribution alone
# -     by_hand = F.conv2d(frame(a), delta)
# +     error_of_z = F.conv2d(frame(delta), kernel.flip(2, 3)) * (z > 0)
# +     by_hand = F.conv2d(frame(x), error_of_z)

# %% wrong: without the derivative of the relu
# -     by_hand = F.conv2d(frame(a), delta)
# +     by_hand = F.conv2d(frame(a), delta) + F.conv2d(frame(x), F.conv2d(frame(delta), kernel.flip(2, 3)))

# %% wrong: not rotated
# -     by_hand = F.conv2d(frame(a), delta)
# +     error_of_z = F.conv2d(frame(delta), kernel) * (z > 0)
# +     by_hand = F.conv2d(frame(a), delta) + F.conv2d(frame(x), error_of_z)

# %% wrong: the error as it is
# -     by_hand = F.conv2d(frame(a), delta)
# +     by_hand = F.conv2d(frame(a), delta) + F.conv2d(frame(x), delta)

# %% wrong: without the frame
# -     by_hand = F.conv2d(frame(a), delta)
# +     by_hand = F.conv2d(a, delta)
