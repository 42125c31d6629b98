"""Only three of the four pictures fit into memory at once, so the fourth gets a backward pass by itself. The two passes together give the wrong gradient.

Choose `factor` so that `w.grad` and `b.grad` end up as the gradients of the mean over all four pictures.
"""
# exercise: write
# covers: autograd.grad-accumulates memory.grad-accum.formula
# about: using-autograd/optimizer-step.md#gradients-accumulate
# hint: The first pass takes the mean over three pictures and the second the mean over one. So the last picture counts as much as the three others together.
# hint: In the mean over four, each picture counts a quarter. In the mean over three, it counts a third.
# hint: `len(x[part])` is the number of pictures in the current pass, and `len(x)` is the number of all pictures.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)

for part in (slice(0, 3), slice(3, 4)):
    loss = ((w * x[part] + b - y[part]) ** 2).mean()
    factor = 1.0
    (loss * factor).backward()
print(w.grad, b.grad)

# %% solution
# -     factor = 1.0
# +     factor = len(x[part]) / len(x)

# %% right: a sum over the part, and a quarter of it
# -     loss = ((w * x[part] + b - y[part]) ** 2).mean()
# -     factor = 1.0
# +     loss = ((w * x[part] + b - y[part]) ** 2).sum()
# +     factor = 0.25

# %% check
_w, _b = (tensor.detach().clone().requires_grad_() for tensor in (w, b))
((_w * x + _b - y) ** 2).mean().backward()
_w_grad, _b_grad = (torch.tensor(0.0) if tensor.grad is None else tensor.grad for tensor in (w, b))
assert abs(_b_grad.item() + 8 / 3) > 1e-4, "Both passes count in full, so the gradients of two means are added. The two factors must add up to 1."
assert abs(_b_grad.item() + 4 / 3) > 1e-4, "The factors add up to 1, but the last picture counts three times as much as each of the others."
assert torch.allclose(_w_grad, _w.grad) and torch.allclose(_b_grad, _b.grad), "The mean over all four pictures has another gradient. Each picture has to count a quarter, whichever pass it is in."

# %% wrong: half and half
# -     factor = 1.0
# +     factor = 1 / 2

# %% wrong: a third of the first, all of the second
# -     factor = 1.0
# +     factor = 1 / len(x[part])
