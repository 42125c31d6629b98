"""`total` is to be 6."""
# exercise: repair
# covers: theory.two-phases
# about: part/index.md#sums
# hint: Count again.

# %% start
import torch

total = torch.ones(3).sum() * 3
print(total)

# %% solution
# - total = torch.ones(3).sum() * 3
# + total = torch.ones(3).sum() * 2

# %% check
assert total == 6, "It isn't 6."

# %% wrong: too small
# - total = torch.ones(3).sum() * 3
# + total = torch.ones(3).sum() * 1
