"""The program should double the first half of `h` in place, but PyTorch refuses the write. Repair it.

The doubling must show in `h` itself and in the gradient of `x`.
"""
# exercise: repair
# covers: inplace.why-not-supported
# about: in-place/views.md#views-that-refuse
# hint: The message names the call that `first` came from, and says that it returns several views.
# hint: A slice is also a view of the first half of `h`, and it may be written to.

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
assert h.detach().tolist() == [6.0, 12.0, 9.0, 12.0], "There is no error any more, but `h` has not changed: its first half should be doubled, in `h` itself."
assert x.grad is not None and x.grad.tolist() == [72.0, 144.0, 54.0, 72.0], "The numbers in `h` are right, but the gradient misses the doubling. Inside `no_grad` the write leaves no node in the graph."

# %% wrong: a new tensor instead of a write
# - first.mul_(2)
# + first = first * 2

# %% wrong: written without recording
# - first.mul_(2)
# + with torch.no_grad():
# +     first.mul_(2)
