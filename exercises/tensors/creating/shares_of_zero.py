"""`fractions` returns zeros for every input, and raises no error. Repair it: for each count, it should return the fraction of the total."""
# exercise: repair
# covers: tensor-create.zeros-like
# about: tensors/creating.md#zeros_like
# hint: Print `part` in the loop, and `result` after it. The fractions are computed correctly.
# hint: `result` has the dtype of `counts`, so it holds integers.

# %% start
import torch


def fractions(counts):
    result = torch.zeros_like(counts)
    for n, count in enumerate(counts):
        part = count / counts.sum()
        result[n] = part
    return result


print(fractions(torch.tensor([1, 2, 5])))

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
_made = fractions(torch.tensor([3, 1, 4])).tolist()
_floats = fractions(torch.tensor([3.0, 1.0, 4.0])).tolist()
assert _made != [0, 0, 0], "These are still zeros. The loop computes the right fractions, and they are cut off when they are stored."
assert not any(fraction == 1 for fraction in _made), "Rounding up turns every fraction into 1. The result must be able to hold fractions."
assert abs(sum(_made) - 1) < 1e-6, f"The fractions should add up to 1. Yours add up to {sum(_made)}."
assert _made == [0.375, 0.125, 0.5], "The fractions add up to 1, but they are not those of the counts 3, 1 and 4."
assert _floats == _made, "Counts that are floats should give the same fractions."

# %% wrong: rounded up
# -         result[n] = part
# +         result[n] = part.ceil()

# %% wrong: ones instead of zeros
# -     result = torch.zeros_like(counts)
# +     result = torch.ones_like(counts, dtype=torch.float32)

# -         result[n] = part
# +         result[n] += part

# %% wrong: equal fractions
# -     result = torch.zeros_like(counts)
# -     for n, count in enumerate(counts):
# -         part = count / counts.sum()
# -         result[n] = part
# -     return result
# +     return torch.full_like(counts, 1 / len(counts), dtype=torch.float32)

# %% wrong: a dtype for integers alone
# -     result = torch.zeros_like(counts)
# +     result = torch.zeros_like(counts, dtype=torch.int64 if counts.is_floating_point() else torch.float32)
