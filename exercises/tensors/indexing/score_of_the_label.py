"""Each row holds the scores of one picture, and `labels` holds the right answers. Write `right_scores` without a loop: it should return the score of the right answer for each picture, as a vector."""
# exercise: write
# covers: tensor-ops.table.gather
# about: tensors/indexing.md#gather
# hint: Each label names a column, so `dim` is 1.
# hint: The index needs as many axes as the scores. `labels[:, None]` is a column.
# hint: The result of `gather` has the shape of the index. `squeeze(1)` makes a vector of a column.

# %% start
import torch


def right_scores(scores, labels):
    return scores.max(dim=1).values


scores = torch.tensor([[0.1, 0.2, 0.7], [0.9, 0.1, 0.0], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]])
labels = torch.tensor([2, 1, 1, 0])
print(right_scores(scores, labels))

# %% solution
# -     return scores.max(dim=1).values
# +     return scores.gather(1, labels[:, None]).squeeze(1)

# %% right: two lists of positions
# -     return scores.max(dim=1).values
# +     return scores[torch.arange(len(labels)), labels]

# %% check
_scores = torch.arange(12.0).reshape(4, 3)
_labels = torch.tensor([2, 0, 0, 1])
_made = right_scores(_scores, _labels)
assert _made.numel() != 16, "There should be one number per picture. Yours are four times four, because every picture was combined with every label."
assert _made.shape == (4,), f"There should be one number per picture, in a vector. Yours has the shape {tuple(_made.shape)}."
assert not torch.equal(_made, _scores.max(dim=1).values), "This is the largest score of each row. If the network is wrong, it belongs to another answer."
assert not torch.equal(_made, torch.tensor([6.0, 0.0, 0.0, 3.0])), "You have read column 0 only. Along `dim=0` the labels name rows."
assert torch.equal(_made, torch.tensor([2.0, 3.0, 6.0, 10.0])), "These are scores, but not those of the right answers. Each score must come from the row of its own picture."

# %% wrong: all columns for all rows
# -     return scores.max(dim=1).values
# +     return scores[:, labels]

# %% wrong: a column
# -     return scores.max(dim=1).values
# +     return scores.gather(1, labels[:, None])

# %% wrong: along the pictures
# -     return scores.max(dim=1).values
# +     return scores.gather(0, labels[:, None]).squeeze(1)

# %% wrong: the scores as one row
# -     return scores.max(dim=1).values
# +     return scores.take(labels)

# %% wrong: a vector as the index
# error: RuntimeError: Index tensor must have the same number of dimensions as input tensor
# hint: `gather` requires an index with as many axes as the scores. `labels` has one axis, and the scores have two.

# -     return scores.max(dim=1).values
# +     return scores.gather(1, labels)
