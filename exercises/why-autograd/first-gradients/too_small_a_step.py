"""The slope of this loss is not 0, but the finite difference comes out as 0. Repair the measurement; the loss itself is right.

Bring `slope` within 0.001 of the derivative.
"""
# exercise: repair
# covers: theory.two-phases
# about: why-autograd/first-gradients.md#try-both-sides
# hint: Print `loss(w + h)` and `loss(w - h)`, and then print `w + h == w`.
# hint: A `float32` has about seven digits. Here `h` is too small to change any of them in `w`.
# hint: Use a larger step, or numbers with more digits.

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
assert float(slope) != 0 or h >= 1e-8, "The result is still 0, because the step is even smaller now. `w + h` rounds to `w`, as it did before."
assert float(slope) != 0 or bool(w + h == w), "The result is still 0. `w + h` differs from `w` now, but the scores are rounded to `float32`, because not all tensors of the loss are `float64`. Convert `x` and `y` as well."
assert float(slope) != 0, "The result is 0 because the loss is the same, to the last digit, on both sides of `w`. The step is too small to change `w` at all."
assert abs(2 * float(slope) - float(_w.grad)) > 0.001, "This is half of the slope. You divide by `2 * h`, but the two weights are only `h` apart."
assert abs(float(slope) - float(_w.grad)) < 0.001 or h < 0.3, "A step this large reaches weights where the slope is different. Take a smaller one."
assert abs(float(slope) - float(_w.grad)) < 0.001 or h < 1e-4, "The step is right now, but this is not the slope: the difference of the two losses must be divided by `2 * h`."
assert abs(float(slope) - float(_w.grad)) < 0.001, "The result isn't 0 any more, but it is not within 0.001 either. The two losses agree in nearly all of their digits, so their difference has only one or two correct ones. Take a larger step."

# %% wrong: smaller still
# - h = 1e-8
# + h = 1e-12

# %% wrong: one whole step
# - h = 1e-8
# + h = 1.0

# %% wrong: barely large enough
# - h = 1e-8
# + h = 1e-6

# %% wrong: more digits for the weight alone
# - w = torch.tensor(-1.0)
# + w = torch.tensor(-1.0, dtype=torch.float64)

# %% wrong: only one side
# - h = 1e-8
# + h = 1e-2

# - slope = (loss(w + h) - loss(w - h)) / (2 * h)
# + slope = (loss(w + h) - loss(w)) / (2 * h)

# %% wrong: divided by the step
# - h = 1e-8
# + h = 1e-2

# - slope = (loss(w + h) - loss(w - h)) / (2 * h)
# + slope = (loss(w + h) - loss(w - h)) / h
