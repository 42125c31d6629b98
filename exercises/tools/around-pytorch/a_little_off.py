"""`standardized` was translated from NumPy: it subtracts from each column its mean and divides by its standard deviation. The results are slightly too small. Repair it: they should equal those of `by_numpy`."""
# exercise: repair
# covers: ecosystem.numpy-link
# about: tools/around-pytorch.md#numpy
# hint: Print mean and standard deviation in both libraries. One of the two differs.
# hint: NumPy divides the sum of squares by the number of rows, and PyTorch by one less.

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
assert isinstance(_made, torch.Tensor), "The result is a NumPy array. It should be a tensor, because an array has no gradient."
assert _made.shape == _wanted.shape, f"The result has the shape {tuple(_made.shape)}."
assert not torch.allclose(_made.abs().amax(), _wanted.abs().amax() * 0.75**0.5), "With four rows the result is too small by the square root of 3/4."
assert abs(_made.mean(dim=0)).max() < 1e-9, "The columns don't have the mean 0. Use the mean and the deviation of each column."
assert torch.allclose(_made, _wanted), "The means are right. NumPy's deviation divides by the number of rows: by 3 for 3 rows, and by 4 for 4 rows."

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
