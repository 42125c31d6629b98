"""Both functions put four pictures of 2 by 3 pixels on top of each other. Repair them: `row_of` should return one picture of 2 rows and 12 columns, and `batch_of` a batch of 4 by 2 by 3."""
# exercise: repair
# covers: tensor-ops.table.cat tensor-ops.table.stack
# about: tensors/joining-and-splitting.md#a-new-axis-or-not
# hint: One of the two results has a longer axis, and the other has an additional axis.
# hint: Side by side, the number of columns grows, and columns are axis 1.

# %% start
import torch

pictures = [torch.full((2, 3), float(number)) for number in range(4)]


def row_of(pictures):
    return torch.cat(pictures)


def batch_of(pictures):
    return torch.cat(pictures)


print(row_of(pictures).shape, batch_of(pictures).shape)

# %% solution
# - def row_of(pictures):
# -     return torch.cat(pictures)
# + def row_of(pictures):
# +     return torch.cat(pictures, dim=1)

# - def batch_of(pictures):
# -     return torch.cat(pictures)
# + def batch_of(pictures):
# +     return torch.stack(pictures)

# %% right: hstack, and axes put in
# - def row_of(pictures):
# -     return torch.cat(pictures)
# + def row_of(pictures):
# +     return torch.hstack(pictures)

# - def batch_of(pictures):
# -     return torch.cat(pictures)
# + def batch_of(pictures):
# +     return torch.cat([picture[None] for picture in pictures])

# %% check
_pictures = [torch.arange(6.0).reshape(2, 3) + 10 * _n for _n in range(4)]
_row, _batch = row_of(_pictures), batch_of(_pictures)
assert _row.shape != (8, 3), "`row_of` puts the pictures one below the other: along axis 0 it is the rows that grow."
assert _row.shape == (2, 12), f"The row of pictures has the shape {tuple(_row.shape)}. It should be a single picture, with two axes."
assert torch.equal(_row[:, 3:6], _pictures[1]), "The row has the right shape, but columns 3 to 5 aren't picture 1. `reshape` cuts at the wrong places."
assert _batch.shape != (8, 3), "`row_of` is right now. `batch_of` still makes one high picture. It takes a new axis to count them."
assert _batch.shape == (4, 2, 3), f"The batch has the shape {tuple(_batch.shape)}. The axis that counts the pictures comes first."
assert torch.equal(_batch[1], _pictures[1]), "The batch has the right shape, but `batch[1]` isn't picture 1."

# %% wrong: stacked along the columns
# - def row_of(pictures):
# -     return torch.cat(pictures)
# + def row_of(pictures):
# +     return torch.stack(pictures, dim=1)

# %% wrong: the shape of the row alone
# - def row_of(pictures):
# -     return torch.cat(pictures)
# + def row_of(pictures):
# +     return torch.cat(pictures).reshape(2, 12)

# %% wrong: the row and no batch
# - def row_of(pictures):
# -     return torch.cat(pictures)
# + def row_of(pictures):
# +     return torch.cat(pictures, dim=1)

# %% wrong: the new axis at the end
# - def row_of(pictures):
# -     return torch.cat(pictures)
# + def row_of(pictures):
# +     return torch.cat(pictures, dim=1)

# - def batch_of(pictures):
# -     return torch.cat(pictures)
# + def batch_of(pictures):
# +     return torch.dstack(pictures)

# %% wrong: the shape of the batch alone
# - def row_of(pictures):
# -     return torch.cat(pictures)
# + def row_of(pictures):
# +     return torch.cat(pictures, dim=1)

# - def batch_of(pictures):
# -     return torch.cat(pictures)
# + def batch_of(pictures):
# +     return torch.cat(pictures, dim=1).reshape(4, 2, 3)
