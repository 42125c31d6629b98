"""The model has changed, and the derivative in `backward` is out of date. Derive the new one on paper and correct `backward`, without PyTorch.

It must be right for every `w`. (PyTorch does this work for you from now on.)
"""
# exercise: write
# covers: autograd.why-numpy
# about: why-autograd/index.md#what-numpy-can-do
# hint: The outer function is a square. Its derivative is two times the expression inside.
# hint: The expression inside is `w**2 * x - target`. Its derivative with respect to `w` is the second factor.

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
assert abs(forward(3.0) - 64) < 1e-9, "Change the derivative and leave the model as it is."
assert abs(backward(3.0) - 192) < 0.01 or abs(backward(3.0) - 32) > 0.01, "The outer square is right now, but the derivative of `w**2` is missing as a factor."
assert abs(backward(3.0) - 192) < 0.01, "Compare with the finite difference at 3: (forward(3.001) - forward(2.999)) / 0.002."
assert abs(backward(1.0) - _slope(1.0)) < 0.01, "The derivative is right at 3 but wrong at 1. It must depend on `w`."

# %% wrong: the inner slope forgotten
# -     return 2 * (w * x - target) * x  # out of date
# +     return 2 * (w**2 * x - target) * x

# %% wrong: the number from the page
# -     return 2 * (w * x - target) * x  # out of date
# +     return 192.0

# %% wrong: the model changed back
# -     return (w**2 * x - target) ** 2
# +     return (w * x - target) ** 2
