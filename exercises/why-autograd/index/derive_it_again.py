"""The model has changed, and the typed derivative is out of date. Correct the function `backward`, on paper, without PyTorch.

It has to hold for each `w`. (This is the work that PyTorch does for you from now on.)
"""
# exercise: write
# covers: autograd.why-numpy
# about: why-autograd/index.md#what-numpy-can-do
# hint: The outer function is a square. Its slope is two times what stands inside.
# hint: What stands inside is `w**2 * x - target`. Its derivative with respect to `w` is the second factor.

# %% start
x, target = 2.0, 10.0


def forward(w):
    return (w**2 * x - target) ** 2


def backward(w):
    return 2 * (w * x - target) * x  # out of date


print(backward(3.0))

# %% solution
# -     return 2 * (w * x - target) * x  # out of date
# +     return 2 * (w**2 * x - target) * 2 * w * x

# %% right: a difference quotient
# -     return 2 * (w * x - target) * x  # out of date
# +     return (forward(w + 1e-4) - forward(w - 1e-4)) / 2e-4

# %% check
_slope = lambda w: (forward(w + 1e-5) - forward(w - 1e-5)) / 2e-5
assert abs(forward(3.0) - 64) < 1e-9, "The derivative should follow the model, not the model the derivative."
assert abs(backward(3.0) - 192) < 0.01 or abs(backward(3.0) - 32) > 0.01, "The outer square is right now. But `w**2` has a slope of its own, which is a factor as well."
assert abs(backward(3.0) - 192) < 0.01, "Compare with the difference quotient at 3: (forward(3.001) - forward(2.999)) / 0.002."
assert abs(backward(1.0) - _slope(1.0)) < 0.01, "Right at 3, and wrong at 1. A slope changes from place to place."

# %% wrong: the inner slope forgotten
# -     return 2 * (w * x - target) * x  # out of date
# +     return 2 * (w**2 * x - target) * x

# %% wrong: the number from the page
# -     return 2 * (w * x - target) * x  # out of date
# +     return 192.0

# %% wrong: the model changed back
# -     return (w**2 * x - target) ** 2
# +     return (w * x - target) ** 2
