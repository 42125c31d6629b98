"""`clear` should set the negative numbers of a table to zero, in the table itself. It changes nothing. Repair it."""
# exercise: repair
# covers: tensor-ops.indexing
# about: tensors/picking.md#indexing-and-slicing
# hint: What does `table[table < 0]` give, a view or a copy? And on the left of `=`?
# hint: `table = ...` would give the name to another tensor. The caller would see nothing of it.

# %% start
import torch


def clear(table):
    table[table < 0].zero_()


table = torch.tensor([[1, -2, 3], [-4, 5, -6]])
clear(table)
print(table)

# %% solution
# -     table[table < 0].zero_()
# +     table[table < 0] = 0

# %% right: the function for it
# -     table[table < 0].zero_()
# +     table.clamp_(min=0)

# %% check
_table = torch.tensor([[-1.0, 7.0], [0.5, -3.0], [4.0, 100.0]])
_column = torch.tensor([[-1, 5], [-2, 6]]).t()
_given = _table.clone()
clear(_table)
clear(_column)
assert not torch.equal(_table, _given), "The table is what it was. What was changed is a copy, or another tensor of that name."
assert (_table >= 0).all(), "There are still negative numbers in the table."
assert _table.tolist() == [[0, 7], [0.5, 0], [4, 100]], "The negative numbers are gone, and others have changed as well."
assert _column.tolist() == [[0, 0], [5, 6]], "It works for this table, and not for a transposed one."

# %% wrong: the sign taken off
# -     table[table < 0].zero_()
# +     table.abs_()

# %% wrong: rows
# -     table[table < 0].zero_()
# +     table[0].clamp_(min=0)

# %% wrong: as one row
# -     table[table < 0].zero_()
# +     flat = table.reshape(-1)
# +     flat[flat < 0] = 0
