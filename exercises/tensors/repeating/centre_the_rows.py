"""`center` runs, but the rows of its result don't have the mean 0. Repair it: it should subtract from each row its mean."""
# exercise: repair
# covers: tensor-ops.broadcast
# about: tensors/repeating.md#broadcasting
# hint: Print the shape of `means`. Aligned at the right, it meets the columns of the table.
# hint: The table is square, so the shapes match by accident. Try a table of 2 by 3.
# hint: The means must be a column, with one number for each row. `mean` takes `keepdim=True`.

# %% start
import torch


def center(table):
    means = table.mean(dim=1)
    return table - means


print(center(torch.tensor([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0], [0.0, 0.0, 9.0]])))

# %% solution
# -     means = table.mean(dim=1)
# +     means = table.mean(dim=1, keepdim=True)

# %% right: an axis put in
# -     return table - means
# +     return table - means[:, None]

# %% right: rows made columns and back
# -     return table - means
# +     return (table.t() - means).t()

# %% check
_table = torch.tensor([[1.0, 3.0, 5.0], [2.0, 2.0, 8.0], [0.0, 6.0, 0.0]])
_made = center(_table)
assert not torch.equal(_made, _table - _table.mean(dim=1)), "From each *column* one of the means has been subtracted, because the vector was aligned with the columns."
assert _made.shape == _table.shape, "The result should have the shape of the table. Print the shape of `means`, which should be (3, 1)."
assert not torch.equal(_made, _table - _table.mean(dim=0)), "Now every column has the mean 0. Every row should have it."
assert not torch.equal(_made, _table - _table.mean()), "You have subtracted the mean of the whole table. Use the mean of each row."
assert torch.equal(_made, torch.tensor([[-2.0, 0.0, 2.0], [-2.0, -2.0, 4.0], [-2.0, 4.0, -2.0]])), "The rows don't have the mean 0 yet. Print `center(table).mean(dim=1)`."

# %% wrong: the columns
# -     means = table.mean(dim=1)
# +     means = table.mean(dim=0)

# %% wrong: the whole table
# -     means = table.mean(dim=1)
# +     means = table.mean()

# %% wrong: an axis too many
# -     return table - means
# +     return table - means[:, None, None]

# %% wrong: rows divided
# -     return table - means
# +     return table / means[:, None] - 1
