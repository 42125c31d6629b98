"""Three pictures were set aside for a test and must not change, but one line of this program changes them. Point at that line."""
# exercise: point
# covers: tensor-ops.indexing
# about: in-place/views.md#a-write-that-shows-elsewhere
# at: line
# answer: changes aside.sum().item()
# hint: Find out which of these tensors share a storage with `aside`.
# hint: `a = a - b` computes a new tensor, and `a -= b` writes into the existing one.

# %% start
import torch

pictures = torch.arange(24.0).reshape(6, 4)
aside = pictures[3:]
train = pictures[:3].clone()
train -= train.mean()
pictures = pictures / pictures.max()
first = aside[0].clone()
first.zero_()
whole = aside.t()
whole -= whole.mean()
print(aside.sum())

# %% wrong: train -= train.mean()
# hint: `train` was cloned, so this line writes into the storage of the clone.

# %% wrong: pictures = pictures / pictures.max()
# hint: A division computes a new tensor, and `pictures` is now its name. The old storage has not changed, and `aside` still uses it.

# %% wrong: first.zero_()
# hint: `first` is a clone of a row of `aside`, so the zeros are written into the clone.

# %% wrong: whole = aside.t()
# hint: This line returns a view, a second way to index the storage. It writes nothing.
