"""These loops give the kernel's gradient of a convolution, and agree with PyTorch at stride 1. At stride 2 they run just as well, and the gradient is wrong. Repair them."""
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
assert not torch.allclose(_yours, _of_torch(_x, _delta, 2, 2, 2), atol=1e-5), "Now the weights lie two pixels apart as well. Only the outputs do."
assert torch.allclose(_yours, _of_torch(_x, _delta, 2, 2), atol=1e-5), "At stride 2 it isn't the gradient of PyTorch. Which pixel lay under `w[a, b]` when `y[i, j]` was made?"
assert torch.allclose(kernel_gradient(_x, _delta, 2, 1), _of_torch(_x, _delta, 2, 1), atol=1e-5), "At stride 1 it was right, and now it isn't any more."
assert torch.allclose(kernel_gradient(_x, _delta, 3, 2), _of_torch(_x, _delta, 3, 2), atol=1e-5), "For a kernel of another size it's wrong. Is a number in it that should be `stride`?"

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
