"""`standardized` was carried over from NumPy: each column minus its mean, divided by its standard deviation. Its results should be those of `by_numpy`. They are a little too small. Repair it."""
# exercise: repair
# covers: ecosystem.numpy-link
# about: tools/ecosystem.md#numpy
# hint: Print the mean and the standard deviation of both. Only the standard deviations differ.
# hint: NumPy divides the sum of the squares by n, and PyTorch by n − 1.

# %% start
import numpy as np
import torch


def by_numpy(a):
    return (a - a.mean(axis=0)) / a.std(axis=0)


def standardized(t):
    return (t - t.mean(dim=0)) / t.std(dim=0)


table = np.array([[1.0, 10.0], [2.0, 30.0], [6.0, 20.0]])
print(by_numpy(table))
print(standardized(torch.from_numpy(table)))

# %% solution
# -     return (t - t.mean(dim=0)) / t.std(dim=0)
# +     return (t - t.mean(dim=0)) / t.std(dim=0, correction=0)

# %% right: by the formula
# -     return (t - t.mean(dim=0)) / t.std(dim=0)
# +     centred = t - t.mean(dim=0)
# +     return centred / (centred**2).mean(dim=0).sqrt()

# %% check
_table = np.array([[2.0, 10.0], [4.0, 50.0], [9.0, 30.0], [1.0, 70.0]])
_wanted = torch.from_numpy((_table - _table.mean(axis=0)) / _table.std(axis=0))
_made = standardized(torch.from_numpy(_table))
assert isinstance(_made, torch.Tensor), "The numbers went through NumPy, and the result is no tensor. Its gradient would be lost on the way."
assert _made.shape == _wanted.shape, f"The result has the shape {tuple(_made.shape)}."
assert not torch.allclose(_made.abs().amax(), _wanted.abs().amax() * 0.75**0.5), "With four rows the result is too small by the square root of 3/4."
assert abs(_made.mean(dim=0)).max() < 1e-9, "The columns don't have the mean 0. Each column has a mean and a deviation of its own."
assert torch.allclose(_made, _wanted), "The means are right. The deviation divides by the count in NumPy: with 3 rows by 3, and with 4 by 4."

# %% wrong: corrected for three rows
# -     return (t - t.mean(dim=0)) / t.std(dim=0)
# +     return (t - t.mean(dim=0)) / t.std(dim=0) * 1.5**0.5

# %% wrong: over all numbers
# -     return (t - t.mean(dim=0)) / t.std(dim=0)
# +     return (t - t.mean()) / t.std(correction=0)

# %% wrong: by way of NumPy
# -     return (t - t.mean(dim=0)) / t.std(dim=0)
# +     return by_numpy(t.numpy())

# %% wrong: a row only
# -     return (t - t.mean(dim=0)) / t.std(dim=0)
# +     return ((t - t.mean(dim=0)) / t.std(dim=0, correction=0))[0]
