"""The slope here is not 0, and the program says it is. Repair the measurement; within 0.001 will do.

The loss itself is right: each score passes through a sigmoid, which bends it into the range from 0 to 1.
"""
# exercise: repair
# covers: theory.two-phases
# about: why-autograd/first-gradients.md#try-both-sides
# hint: Print `loss(w + h)` and `loss(w - h)`. Better still, print `w + h == w`.
# hint: A `float32` has about seven digits. Which digit of `w` does `h` change?
# hint: There are two ways out: a larger step, or numbers with more digits.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(-1.0)
h = 1e-8


def loss(w):
    return ((torch.sigmoid(w * x) - y) ** 2).mean()


slope = (loss(w + h) - loss(w - h)) / (2 * h)
print(slope)

# %% solution
# - h = 1e-8
# + h = 1e-2

# %% right: more digits and a smaller step
# - x = torch.tensor([0.0, 0.25, 0.75, 1.0])
# - y = torch.tensor([0.0, 0.0, 1.0, 1.0])
# - w = torch.tensor(-1.0)
# - h = 1e-8
# + x = torch.tensor([0.0, 0.25, 0.75, 1.0], dtype=torch.float64)
# + y = torch.tensor([0.0, 0.0, 1.0, 1.0], dtype=torch.float64)
# + w = torch.tensor(-1.0, dtype=torch.float64)
# + h = 1e-6

# %% check
_w = torch.tensor(-1.0, requires_grad=True)
((torch.sigmoid(_w * torch.tensor([0.0, 0.25, 0.75, 1.0])) - torch.tensor([0.0, 0.0, 1.0, 1.0])) ** 2).mean().backward()
assert float(slope) != 0 or h >= 1e-8, "Still 0, and now the step is even smaller. `w + h` was `w` before, too: is there a `float32` between the two?"
assert float(slope) != 0, "It prints 0. To either side of `w`, the loss is the same to the last digit. Has the step moved `w` at all?"
assert abs(2 * float(slope) - float(_w.grad)) > 0.001, "Half of it is missing. From `w - h` to `w + h`, how far is that?"
assert abs(float(slope) - float(_w.grad)) < 0.001 or h < 0.3, "A step this large leaves the place you asked about: it measures the slope of a long chord. Come closer."
assert abs(float(slope) - float(_w.grad)) < 0.001, "No zero any more, and still not within 0.001. The difference of two losses has only a few right digits left: give it more to live on."

# %% wrong: smaller still
# - h = 1e-8
# + h = 1e-12

# %% wrong: one whole step
# - h = 1e-8
# + h = 1.0

# %% wrong: barely large enough
# - h = 1e-8
# + h = 1e-6

# %% wrong: only one side
# - h = 1e-8
# + h = 1e-2

# - slope = (loss(w + h) - loss(w - h)) / (2 * h)
# + slope = (loss(w + h) - loss(w)) / (2 * h)
