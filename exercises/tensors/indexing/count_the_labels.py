"""The counts of six labels add up to four. Repair `count`: it should return how often each of the ten digits occurs."""
# exercise: repair
# covers: tensor-ops.table.scatter_add
# about: tensors/indexing.md#two-writes-to-one-place
# hint: The label 3 occurs three times, and its count is 1.
# hint: `counts[labels] += 1` reads six numbers, adds one to each, and writes six numbers back. Three of the writes go to one position.
# hint: `scatter_add_(0, index, src)` adds the elements of `src`. It should hold a 1 for each label.

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
assert _made.shape == (10,), f"There are ten digits, so there should be ten counts. Yours has the shape {tuple(_made.shape)}. The largest digits may not occur."
assert _made.max() != 8, "These are the labels, written to their own positions. Write a 1 instead."
assert _made.max() != 15, "You have added the label each time, and three fives make 15. Add a 1 for each label."
assert _made.max() != 1, "Each count is 0 or 1, because only one of several writes to a position is kept."
assert _made.tolist() == [0, 2, 0, 0, 0, 3, 0, 0, 1, 0], "The labels are three fives, two ones and an eight, and your counts differ. Check that `counts` is 0 at the beginning."

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
