"""All four rows of `table` are zero, and so is `row`. Repair the program: only the first row of `table` should be zero."""
# exercise: repair
# covers: tensor-ops.repeat
# about: tensors/repeating.md#repeat
# hint: After `expand` there are still only three numbers in memory, and all rows use them.
# hint: Copy the numbers for each row before you write to one of them.

# %% start
import torch

row = torch.tensor([1, 2, 3])
table = row.expand(4, 3)
table[0].zero_()
print(table)
print(row)

# %% solution
# - table = row.expand(4, 3)
# + table = row.repeat(4, 1)

# %% right: a clone of the view
# - table = row.expand(4, 3)
# + table = row.expand(4, 3).clone()

# %% check
assert row.tolist() == [1, 2, 3], "The zeros are in `row` as well, because `table` still uses the same three numbers."
assert table.shape == (4, 3), f"There should be four rows of three, but the shape is {tuple(table.shape)}. The arguments of `repeat` are counts."
assert table[1:].tolist() == [[1, 2, 3]] * 3, "The other rows should still be 1, 2, 3. `repeat_interleave` repeats each number where it is."
assert table[0].tolist() == [0, 0, 0], "The first row isn't zero, because the zeros were written to a copy of it."

# %% wrong: sizes instead of counts
# - table = row.expand(4, 3)
# + table = row.repeat(4, 3)

# %% wrong: each number in place
# - table = row.expand(4, 3)
# + table = row.repeat_interleave(4).view(4, 3)

# %% wrong: the copy written to
# - table[0].zero_()
# + table[0].clone().zero_()
