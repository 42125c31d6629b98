"""These loops compute the gradient of a convolution's kernel. At stride 1 they agree with PyTorch, but at stride 2 the gradient is wrong.

Repair them for any stride.
"""
# exercise: repair
# covers: cnn.conv-weight-grad
# about: cnn-backward/convolution-kernel.md#index-by-index
# hint: At stride 2, the window of the output with `i = 1` begins at row 2 of the picture.
# hint: The output `y[i, j]` contains `x[i * stride + a, j * stride + b] * w[a, b]`.

# %% start
import torch
import torch.nn.functional as F


def kernel_gradient(x, delta, size, stride):
    gradient = torch.zeros(size, size)
    for a in range(size):
        for b in range(size):
            for i in range(delta.shape[0]):
                for j in range(delta.shape[1]):
                    gradient[a, b] += delta[i, j] * x[i + a, j + b]
    return gradient


x = torch.arange(25.0).reshape(5, 5)
w = torch.zeros(2, 2, requires_grad=True)
delta = torch.tensor([[1.0, 10.0], [100.0, 1000.0]])
F.conv2d(x[None, None], w[None, None], stride=2).backward(delta[None, None])
print(w.grad)
print(kernel_gradient(x, delta, 2, 2))

# %% solution
# -                     gradient[a, b] += delta[i, j] * x[i + a, j + b]
# +                     gradient[a, b] += delta[i, j] * x[i * stride + a, j * stride + b]

# %% check
def _of_torch(x, delta, size, stride, dilation=1):
    w = torch.zeros(size, size, requires_grad=True)
    y = F.conv2d(x[None, None], w[None, None], stride=stride, dilation=dilation)
    all_of_it = torch.zeros_like(y)
    all_of_it[0, 0, : delta.shape[0], : delta.shape[1]] = delta
    y.backward(all_of_it)
    return w.grad


_x, _delta = torch.arange(169.0).reshape(13, 13).sin(), torch.arange(6.0).reshape(2, 3).cos()
_yours = kernel_gradient(_x, _delta, 2, 2)
assert not torch.allclose(_yours, _of_torch(_x, _delta, 2, 2, 2), atol=1e-5), "This moves the weights of the kernel apart as well. At stride 2 only the windows begin two pixels apart."
assert torch.allclose(_yours, _of_torch(_x, _delta, 2, 2), atol=1e-5), "At stride 2 the result differs from PyTorch's gradient. The window of `y[i, j]` doesn't begin at row `i` of the picture."
assert torch.allclose(kernel_gradient(_x, _delta, 2, 1), _of_torch(_x, _delta, 2, 1), atol=1e-5), "At stride 1 the result was right before, and now it is wrong."
assert torch.allclose(kernel_gradient(_x, _delta, 3, 2), _of_torch(_x, _delta, 3, 2), atol=1e-5), "For a kernel of size 3 the result is wrong. The distance between two windows is `stride`, whatever the size of the kernel."

# %% wrong: the kernel strides as well
# -                     gradient[a, b] += delta[i, j] * x[i + a, j + b]
# +                     gradient[a, b] += delta[i, j] * x[(i + a) * stride, (j + b) * stride]

# %% wrong: the size in place of the stride
# -                     gradient[a, b] += delta[i, j] * x[i + a, j + b]
# +                     step = size if stride > 1 else 1
# +                     gradient[a, b] += delta[i, j] * x[i * step + a, j * step + b]

# %% wrong: always two
# -                     gradient[a, b] += delta[i, j] * x[i + a, j + b]
# +                     gradient[a, b] += delta[i, j] * x[i * 2 + a, j * 2 + b]
