"""This backward pass of max pooling is right if the windows don't overlap. With the stride below they share elements, and the gradient is wrong.

Repair it so that it agrees with PyTorch.
"""
# exercise: repair
# covers: cnn.maxpool-backward
# about: cnn-backward/pooling.md#when-windows-overlap
# hint: Print the two gradients and look for an element that is the largest of more than one window.
# hint: When the second error of such an element arrives, it replaces the first.

# %% start
import torch
import torch.nn.functional as F


def max_pool_backward(x, delta, k, stride):
    """The error of `x`, from the error `delta` of `F.max_pool1d(x, k, stride)`."""
    error = torch.zeros_like(x)
    for j in range(len(delta)):
        first = j * stride
        winner = first + x[first : first + k].argmax()
        error[winner] = delta[j]
    return error


x = torch.tensor([1.0, 9.0, 2.0, 3.0, 8.0, 4.0, 5.0], requires_grad=True)
delta = torch.tensor([1.0, 10.0, 100.0])
F.max_pool1d(x[None], 3, 2)[0].backward(delta)
print(x.grad)
print(max_pool_backward(x.detach(), delta, 3, 2))

# %% solution
# -         error[winner] = delta[j]
# +         error[winner] += delta[j]

# %% check
_torch, _delta = torch.tensor([2.0, 7.0, 1.0, 9.0, 3.0, 6.0], requires_grad=True), torch.tensor([3.0, 5.0, 20.0, 100.0])
F.max_pool1d(_torch[None], 3, 1)[0].backward(_delta)
_yours = max_pool_backward(_torch.detach(), _delta, 3, 1)
assert isinstance(_yours, torch.Tensor) and _yours.shape == (6,), "The error of `x` has the shape of `x`."
assert _yours.sum() >= _delta.sum(), "The errors of `x` add up to less than the errors that arrived, so some of them were lost."
assert _yours.sum() == _delta.sum(), "The errors of `x` add up to more than the errors that arrived. Only one element of each window may receive its error."
assert torch.equal(_yours, _torch.grad), "The sum is right, but some errors are at the wrong positions. Window `j` begins at position `j * stride`."

# %% wrong: to all elements of the window
# -         error[winner] = delta[j]
# +         error[first : first + k] += delta[j]

# %% wrong: positions counted in the window
# -         winner = first + x[first : first + k].argmax()
# -         error[winner] = delta[j]
# +         winner = x[first : first + k].argmax()
# +         error[winner] += delta[j]

# %% wrong: only the size of the result
# -     return error
# +     return x[: len(delta)] * delta
