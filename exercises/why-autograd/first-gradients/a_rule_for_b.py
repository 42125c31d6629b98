"""The model has a second parameter: its score is now `w * x + b`. The formula for the derivative with respect to `b` is missing; derive it on paper.

Make `slope_b` agree with the finite difference that the program prints beside it, for any `w` and `b`.
"""
# exercise: write
# covers: autograd.why-numpy
# about: why-autograd/first-gradients.md#work-it-out-on-paper
# hint: The formula for `w` is there already. Its last factor is `x`, because the score grows by `x` times as much as `w`.
# hint: When `b` grows by a little, every score grows by the same amount, whatever `x` is.

# %% start
import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0], dtype=torch.float64)
y = torch.tensor([0.0, 0.0, 1.0, 1.0], dtype=torch.float64)


def loss(w, b):
    return ((w * x + b - y) ** 2).mean()


def slope_w(w, b):
    return (2 * (w * x + b - y) * x).mean()


def slope_b(w, b):
    return ...


h = 1e-4
print(slope_b(1.0, 0.5), (loss(1.0, 0.5 + h) - loss(1.0, 0.5 - h)) / (2 * h))

# %% solution
# -     return ...
# +     return (2 * (w * x + b - y)).mean()

# %% right: by a finite difference
# -     return ...
# +     return (loss(w, b + 1e-4) - loss(w, b - 1e-4)) / 2e-4

# %% check
def _agrees(formula):
    return all(abs(float(slope_b(_w, _b)) - float(formula(_w, _b))) < 1e-6 for _w, _b in [(1.0, 0.5), (0.0, 0.0), (2.0, -0.3)])


assert slope_b(1.0, 0.5) is not ..., "`slope_b` has no formula yet. Replace `...` with one."
assert torch.as_tensor(slope_b(1.0, 0.5)).dim() == 0, "`slope_b` returns four numbers. All four pictures share one `b`, so there is one slope, the mean over the pictures."
assert not _agrees(slope_w), "This is the formula for `w`. When `w` grows by `h`, a score grows by `x` times as much. By how much does it grow when `b` does?"
assert not _agrees(lambda w, b: (w * x + b - y).mean()), "This is half of the slope. The derivative of a square has a factor of 2."
assert not _agrees(lambda w, b: 2 * (w * x + b - y).sum()), "This is four times the slope. The loss is a mean of four squares, so its derivative is a mean as well."
assert _agrees(lambda w, b: (2 * (w * x + b - y)).mean()), "The two numbers that the program prints should agree, for these values of `w` and `b` and for others."

# %% wrong: times x
# -     return ...
# +     return (2 * (w * x + b - y) * x).mean()

# %% wrong: without the two
# -     return ...
# +     return (w * x + b - y).mean()

# %% wrong: the sum
# -     return ...
# +     return (2 * (w * x + b - y)).sum()

# %% wrong: a slope for each picture
# -     return ...
# +     return 2 * (w * x + b - y) / 4

# %% wrong: times b
# -     return ...
# +     return (2 * (w * x + b - y) * b).mean()
