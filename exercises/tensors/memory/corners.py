"""`clear_corners` works for `table` and does nothing for `turned`. Repair it: it should set the first and the last number of a table to zero, in the table itself."""
# exercise: repair
# covers: tensor-ops.table.reshape
# about: tensors/memory.md#reshape
# hint: `turned` isn't contiguous, so `reshape(-1)` has to copy it.
# hint: Compare `flat.data_ptr()` with `table.data_ptr()` inside the function, for both calls.
# hint: You don't need a flat tensor for the first and the last number. An index may be `-1`.

# %% start
import torch


def clear_corners(table):
    flat = table.reshape(-1)
    flat[0] = 0
    flat[-1] = 0


table = torch.tensor([[1, 2, 3], [4, 5, 6]])
clear_corners(table)
print(table)
turned = torch.tensor([[1, 2, 3], [4, 5, 6]]).t()
clear_corners(turned)
print(turned)

# %% solution
# -     flat = table.reshape(-1)
# -     flat[0] = 0
# -     flat[-1] = 0
# +     table[0, 0] = 0
# +     table[-1, -1] = 0

# %% right: copied back
# -     flat = table.reshape(-1)
# +     flat = table.flatten()

# -     flat[-1] = 0
# +     flat[-1] = 0
# +     table.copy_(flat.view(table.shape))

# %% check
_plain = torch.arange(1, 13).reshape(3, 4)
_turned = torch.arange(1, 13).reshape(4, 3).t()
clear_corners(_plain)
clear_corners(_turned)
assert (_plain == 0).any(), "Now the plain table keeps its corners as well, because every write goes to a copy."
assert (_turned == 0).any(), "The turned table keeps its corners, because `reshape` returned a copy and the zeros were written to that copy."
assert _turned[0, 0] == 0 and _turned[-1, -1] == 0, "The function writes to the table itself, but one of the two corners is unchanged."
assert (_plain == 0).sum() == 2 and (_turned == 0).sum() == 2, "The corners are zero, but other numbers are zero as well."

# %% wrong: view instead
# error: RuntimeError: view size is not compatible with input tensor's size and stride ...
# hint: The turned table has no view as one row, so `view` raises an error. Index the corners without a view.

# -     flat = table.reshape(-1)
# +     flat = table.view(-1)

# %% wrong: a copy in every case
# -     flat = table.reshape(-1)
# +     flat = table.clone().reshape(-1)

# %% wrong: one corner
# -     flat = table.reshape(-1)
# -     flat[0] = 0
# -     flat[-1] = 0
# +     table[0, 0] = 0

# %% wrong: whole rows
# -     flat = table.reshape(-1)
# -     flat[0] = 0
# -     flat[-1] = 0
# +     table[0] = 0
# +     table[-1] = 0
