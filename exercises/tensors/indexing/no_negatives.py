"""`clear` changes nothing. Repair it: it should set the negative numbers of the table to zero, in the table itself."""
# exercise: repair
# covers: tensor-ops.indexing
# about: tensors/indexing.md#indexing-and-slicing
# hint: `table[table < 0]` is a copy, except on the left of `=`.
# hint: `table = ...` would give the name to another tensor, and the tensor of the caller would not change.

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
assert not torch.equal(_table, _given), "The table hasn't changed. The function has changed a copy, or another tensor with the same name."
assert (_table >= 0).all(), "There are still negative numbers in the table."
assert _table.tolist() == [[0, 7], [0.5, 0], [4, 100]], "The negative numbers are gone, but other numbers have changed as well."
assert _column.tolist() == [[0, 0], [5, 6]], "It works for this table, but not for a transposed one."

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
