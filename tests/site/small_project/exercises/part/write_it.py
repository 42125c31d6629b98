"""`twice(x)` is to return two times `x`."""
# exercise: write
# covers: theory.later
# about: part/index.md#asked

# %% start
import torch


def twice(x):
    return x


print(twice(torch.ones(1)))

# %% solution
# - def twice(x):
# -     return x
# + def twice(x):
# +     return 2 * x

# %% check
assert twice(torch.ones(1)) == 2, "Twice 1 is 2."

# %% wrong: squared
# - def twice(x):
# -     return x
# + def twice(x):
# +     return x * x
