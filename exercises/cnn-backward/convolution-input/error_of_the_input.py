"""`input_error` should return the error of `x` for `y = F.conv2d(x, w)`, with any number of channels and kernels that aren't square. Its shape and its numbers are wrong.

Repair it so that it agrees with `x.grad`.
"""
# exercise: repair
# covers: cnn.conv-input-error
# about: cnn-backward/convolution-input.md#why-the-kernel-is-turned
# hint: Compare the shapes first. The result has too few rows and too few columns.
# hint: Print `w.shape`. In the backward pass, the sum runs over the output channels, which are axis 0 of `w`.
# hint: `F.pad` counts from the last axis: two numbers for the columns, then two for the rows.

# %% start
import torch
import torch.nn.functional as F


def input_error(delta, w):
    rows, columns = w.shape[2], w.shape[3]
    return F.conv2d(F.pad(delta, (1, 1, 1, 1)), w.transpose(0, 1))


torch.manual_seed(0)
x = torch.randn(1, 2, 5, 6, requires_grad=True)
w = torch.randn(3, 2, 4, 3)
y = F.conv2d(x, w)
delta = torch.randn_like(y)
y.backward(delta)
print(x.grad.shape, input_error(delta, w).shape)

# %% solution
# -     return F.conv2d(F.pad(delta, (1, 1, 1, 1)), w.transpose(0, 1))
# +     padding = (columns - 1, columns - 1, rows - 1, rows - 1)
# +     return F.conv2d(F.pad(delta, padding), w.flip(2, 3).transpose(0, 1))

# %% right: a transposed convolution
# -     return F.conv2d(F.pad(delta, (1, 1, 1, 1)), w.transpose(0, 1))
# +     return F.conv_transpose2d(delta, w)

# %% check
_error = input_error(delta, w)
assert _error.shape[3] <= 6, f"The error has {_error.shape[3]} columns, and `x` has only 6. The first two numbers of `F.pad` belong to the columns."
assert _error.shape == x.shape, f"The error has the shape {tuple(_error.shape)}, and `x` has {tuple(x.shape)}. On each side, an axis needs the size of the kernel along this axis, minus one."
assert not torch.allclose(_error, F.conv2d(F.pad(delta, (2, 2, 3, 3)), w.transpose(0, 1)), atol=1e-5), "The shape is right, but the numbers are not. A pixel meets the weights in the opposite order of the outputs."
assert torch.allclose(_error, x.grad, atol=1e-5), "The kernel is flipped, but not rotated by 180 degrees. The rotation flips the rows and the columns."

# %% wrong: padded, but not rotated
# -     return F.conv2d(F.pad(delta, (1, 1, 1, 1)), w.transpose(0, 1))
# +     padding = (columns - 1, columns - 1, rows - 1, rows - 1)
# +     return F.conv2d(F.pad(delta, padding), w.transpose(0, 1))

# %% wrong: one axis flipped
# -     return F.conv2d(F.pad(delta, (1, 1, 1, 1)), w.transpose(0, 1))
# +     padding = (columns - 1, columns - 1, rows - 1, rows - 1)
# +     return F.conv2d(F.pad(delta, padding), w.flip(3).transpose(0, 1))

# %% wrong: rows and columns of the padding exchanged
# -     return F.conv2d(F.pad(delta, (1, 1, 1, 1)), w.transpose(0, 1))
# +     padding = (rows - 1, rows - 1, columns - 1, columns - 1)
# +     return F.conv2d(F.pad(delta, padding), w.flip(2, 3).transpose(0, 1))
