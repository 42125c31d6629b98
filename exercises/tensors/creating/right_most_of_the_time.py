"""`total` adds up rows, and its result is right on some machines only. The deterministic mode in the first line makes the mistake visible everywhere. Repair `total`, and leave the mode on."""
# exercise: repair
# covers: tensor-create.empty
# about: tensors/creating.md#empty
# hint: One line reads memory before anything was written to it.
# hint: `+=` reads the old value and writes the sum. Before the first row, the old value should be 0.

# %% start
import torch

torch.use_deterministic_algorithms(True)


def total(rows):
    result = torch.empty(rows.shape[1])
    for row in rows:
        result += row
    return result


print(total(torch.tensor([[1.0, 2.0], [10.0, 20.0]])))

# %% solution
# -     result = torch.empty(rows.shape[1])
# +     result = torch.zeros(rows.shape[1])

# %% right: filled by the first row
# -     for row in rows:
# +     result.copy_(rows[0])
# +     for row in rows[1:]:

# %% right: by the function for it
# -     return result
# +     return rows.sum(0)

# %% check
torch.use_deterministic_algorithms(True)
_rows = torch.tensor([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])
_made = total(_rows)
_kept = _rows.tolist()
torch.use_deterministic_algorithms(False)
assert not _made.isnan().all(), "The sum is `nan`, because the first `+=` added to memory that was never written. Without the mode the same happens with other numbers."
assert _kept == [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]], "The sum is right, but the first row was overwritten, because `result` is a view of it."
assert _made.tolist() != [12.0, 24.0, 36.0], "The first row was counted twice."
assert _made.tolist() == [11.0, 22.0, 33.0], "The sum of the rows 1, 2, 3 and 10, 20, 30 should be 11, 22, 33."

# %% wrong: into the first row
# -     result = torch.empty(rows.shape[1])
# -     for row in rows:
# +     result = rows[0]
# +     for row in rows[1:]:

# %% wrong: the first row twice
# -     result = torch.empty(rows.shape[1])
# +     result = rows[0].clone()

# %% wrong: ones
# -     result = torch.empty(rows.shape[1])
# +     result = torch.ones(rows.shape[1])
