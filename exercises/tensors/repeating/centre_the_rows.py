"""`centred` should subtract from each row its own mean. Here it runs and does something else. Repair it."""
# exercise: repair
# covers: tensor-ops.broadcast
# about: tensors/repeating.md#broadcasting
# hint: Print the shape of `means`. Lined up at the right, which axis of the table does it meet?
# hint: The table is square, so the shapes fit by accident. Try a table of 2 by 3.
# hint: One number for each row has to be a column. `mean` takes `keepdim=True`.

# %% start
import torch


def centred(table):
    means = table.mean(dim=1)
    return table - means


print(centred(torch.tensor([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0], [0.0, 0.0, 9.0]])))

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
_made = centred(_table)
assert not torch.equal(_made, _table - _table.mean(dim=1)), "From each *column* one of the means has been subtracted: the vector was lined up with the columns."
assert _made.shape == _table.shape, "The result should have the shape of the table. Which axes do the means have now?"
assert not torch.equal(_made, _table - _table.mean(dim=0)), "Now every column has the mean 0. The rows were asked for."
assert not torch.equal(_made, _table - _table.mean()), "This is the mean of the whole table. Each row has one of its own."
assert torch.equal(_made, torch.tensor([[-2.0, 0.0, 2.0], [-2.0, -2.0, 4.0], [-2.0, 4.0, -2.0]])), "The rows don't have the mean 0 yet. Print `centred(table).mean(dim=1)`."

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
