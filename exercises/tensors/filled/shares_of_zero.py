"""`shares` should return for each count its part of the total. It returns zeros, and no error. Repair it."""
# exercise: repair
# covers: tensor-create.zeros-like
# about: tensors/filled.md#zeros_like
# hint: Print `part` in the loop, and `result` after it.
# hint: Can `result` hold a fraction? Ask for its dtype.

# %% start
import torch


def shares(counts):
    result = torch.zeros_like(counts)
    for n, count in enumerate(counts):
        part = count / counts.sum()
        result[n] = part
    return result


print(shares(torch.tensor([1, 2, 5])))

# %% solution
# -     result = torch.zeros_like(counts)
# +     result = torch.zeros_like(counts, dtype=torch.float32)

# %% right: without a loop
# -     result = torch.zeros_like(counts)
# -     for n, count in enumerate(counts):
# -         part = count / counts.sum()
# -         result[n] = part
# -     return result
# +     return counts / counts.sum()

# %% right: by size
# -     result = torch.zeros_like(counts)
# +     result = torch.zeros(len(counts))

# %% check
_made = shares(torch.tensor([3, 1, 4])).tolist()
_floats = shares(torch.tensor([3.0, 1.0, 4.0])).tolist()
assert _made != [0, 0, 0], "Still zeros. What the loop computes is right, and it is cut off where it is stored."
assert not any(share == 1 for share in _made), "Rounded up, all shares are 1. They are parts of a whole."
assert abs(sum(_made) - 1) < 1e-6, f"The shares should add up to 1. They add up to {sum(_made)}."
assert _made == [0.375, 0.125, 0.5], "The shares add up to 1, and they aren't those of the counts 3, 1 and 4."
assert _floats == _made, "Counts that are floats already should give the same shares."

# %% wrong: rounded up
# -         result[n] = part
# +         result[n] = part.ceil()

# %% wrong: ones instead of zeros
# -     result = torch.zeros_like(counts)
# +     result = torch.ones_like(counts, dtype=torch.float32)

# -         result[n] = part
# +         result[n] += part

# %% wrong: equal shares
# -     result = torch.zeros_like(counts)
# -     for n, count in enumerate(counts):
# -         part = count / counts.sum()
# -         result[n] = part
# -     return result
# +     return torch.full_like(counts, 1 / len(counts), dtype=torch.float32)

# %% wrong: a dtype for whole numbers alone
# -     result = torch.zeros_like(counts)
# +     result = torch.zeros_like(counts, dtype=torch.int64 if counts.is_floating_point() else torch.float32)
