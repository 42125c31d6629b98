"""Only three of the four pictures fit into memory, so the fourth comes in a pass of its own. Choose `share`, so that `.grad` ends up with the
gradient of the mean over all four.
"""
# exercise: write
# covers: autograd.grad-accumulates memory.grad-accum.formula
# about: using-autograd/optimizer-step.md#what-is-zero_grad-for
# hint: The first pass is a mean over three pictures, the second a mean over one. Which part of the whole is each of them?
# hint: In the mean over four, each picture counts a quarter. How much does a picture count in the mean over three?
# hint: `len(x[part])` is the number of pictures in this pass.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)

for part in (slice(0, 3), slice(3, 4)):
    loss = ((w * x[part] + b - y[part]) ** 2).mean()
    share = 1.0
    (loss * share).backward()
print(w.grad, b.grad)

# %% solution
# -     share = 1.0
# +     share = len(x[part]) / len(x)

# %% right: a sum over the part, and a quarter of it
# -     loss = ((w * x[part] + b - y[part]) ** 2).mean()
# -     share = 1.0
# +     loss = ((w * x[part] + b - y[part]) ** 2).sum()
# +     share = 0.25

# %% check
_w, _b = (one.detach().clone().requires_grad_() for one in (w, b))
((_w * x + _b - y) ** 2).mean().backward()
_found, _found_b = (torch.tensor(0.0) if one.grad is None else one.grad for one in (w, b))
assert abs(_found_b.item() + 8 / 3) > 1e-4, "Both parts count in full, so the two means add up to too much. Together the shares should be 1."
assert abs(_found_b.item() + 4 / 3) > 1e-4, "The shares add up to 1, but the last picture counts three times as much as each of the others."
assert torch.allclose(_found, _w.grad) and torch.allclose(_found_b, _b.grad), "The whole gives another gradient. Each picture has to count a quarter, whichever pass it came in."

# %% wrong: half and half
# -     share = 1.0
# +     share = 1 / 2

# %% wrong: a third of the first, all of the second
# -     share = 1.0
# +     share = 1 / len(x[part])
