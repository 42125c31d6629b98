"""The model gets a second weight: its score is now `w * x + b`. Find the rule for the slope along `b`, on paper, and write it down.

Then trust nobody: the program compares it with a small step to either side.
"""
# exercise: write
# covers: autograd.why-numpy
# about: why-autograd/first-gradients.md#work-it-out-on-paper
# hint: The rule for `w` is there already. Where does its last factor, `x`, come from?
# hint: When `b` grows by a little, by how much does each score grow?

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

# %% right: by taking steps, too
# -     return ...
# +     return (loss(w, b + 1e-4) - loss(w, b - 1e-4)) / 2e-4

# %% check
def _all(rule):
    return all(abs(float(slope_b(_w, _b)) - float(rule(_w, _b))) < 1e-6 for _w, _b in [(1.0, 0.5), (0.0, 0.0), (2.0, -0.3)])


assert slope_b(1.0, 0.5) is not ..., "`slope_b` is still to be written."
assert torch.as_tensor(slope_b(1.0, 0.5)).dim() == 0, "Four numbers, and one was asked for. All four pictures share `b`, and the loss is a mean."
assert not _all(slope_w), "This is the rule for `w`. A step of `w` moves each score by `x` times as much. And a step of `b`?"
assert not _all(lambda w, b: (w * x + b - y).mean()), "Half of it. What does the derivative of a square bring along?"
assert not _all(lambda w, b: 2 * (w * x + b - y).sum()), "Four times too much. `loss` is a mean of four squares."
assert _all(lambda w, b: (2 * (w * x + b - y)).mean()), "The two numbers that the program prints should agree, here and at other weights."

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
