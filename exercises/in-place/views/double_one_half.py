"""The first half of `h` is to be doubled, in `h` itself. PyTorch refuses. Repair it, so that `h` changes and the gradient of `x` knows of it."""
# exercise: repair
# covers: inplace.why-not-supported
# about: in-place/views.md#views-that-refuse
# hint: What does the message say about the call that `first` came from?
# hint: Which other way to look at the first half of `h` gives a view that may be written to?

# %% start
import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
h = x * 3
first, second = h.split(2)
first.mul_(2)
(h * h).sum().backward()
print(h, x.grad)

# %% solution
# - first, second = h.split(2)
# + first = h[:2]

# %% right: a slice written to without a name
# - first, second = h.split(2)
# - first.mul_(2)
# + h[:2] *= 2

# %% check
assert h.detach().tolist() == [6.0, 12.0, 9.0, 12.0], "No error, but `h` is not what was asked for: its first half should be doubled, in `h` itself."
assert x.grad is not None and x.grad.tolist() == [72.0, 144.0, 54.0, 72.0], "The numbers in `h` are right, and the gradient doesn't know that they were doubled. What has the write left in the graph?"

# %% wrong: a new tensor instead of a write
# - first.mul_(2)
# + first = first * 2

# %% wrong: written without a record
# - first.mul_(2)
# + with torch.no_grad():
# +     first.mul_(2)
