"""`count` should say how often each of the ten digits occurs. Six labels go in, and the counts add up to four. Repair it."""
# exercise: repair
# covers: tensor-ops.table.scatter_add
# about: tensors/gather-scatter.md#two-writes-to-one-place
# hint: Which labels occur more than once? What does `counts` say for them?
# hint: `counts[labels] += 1` reads six numbers, adds one to each, and writes six numbers back. Two of the writes meet.
# hint: `scatter_add_(0, index, src)` adds at each place. What should `src` hold, and how long must it be?

# %% start
import torch


def count(labels):
    counts = torch.zeros(10, dtype=torch.int64)
    counts[labels] += 1
    return counts


print(count(torch.tensor([3, 7, 3, 0, 3, 9])))

# %% solution
# -     counts[labels] += 1
# +     counts.scatter_add_(0, labels, torch.ones_like(labels))

# %% right: the function for it
# -     counts = torch.zeros(10, dtype=torch.int64)
# -     counts[labels] += 1
# -     return counts
# +     return torch.bincount(labels, minlength=10)

# %% check
_labels = torch.tensor([5, 5, 1, 8, 5, 1])
_made = count(_labels)
assert _made.shape == (10,), f"There are ten digits, and so ten counts. Yours has the shape {tuple(_made.shape)}: what of the digits that don't occur at the end?"
assert _made.max() != 8, "These are the labels themselves, written to their places. What should be written is a 1."
assert _made.max() != 15, "What was added at each place is the label. Three fives make 15; you want to add a 1 for each."
assert _made.max() != 1, "Each count is 0 or 1: of several writes to one place, one is kept."
assert _made.tolist() == [0, 2, 0, 0, 0, 3, 0, 0, 1, 0], "Three times 5, twice 1, once 8: your counts say something else. What was in `counts` before you added?"

# %% wrong: too few places
# -     return counts
# +     return torch.bincount(labels)

# %% wrong: labels written
# -     counts[labels] += 1
# +     counts.scatter_(0, labels, labels)

# %% wrong: labels added
# -     counts[labels] += 1
# +     counts.scatter_add_(0, labels, labels)

# %% wrong: it begins at one
# -     counts = torch.zeros(10, dtype=torch.int64)
# -     counts[labels] += 1
# +     counts = torch.ones(10, dtype=torch.int64)
# +     counts.scatter_add_(0, labels, torch.ones_like(labels))
