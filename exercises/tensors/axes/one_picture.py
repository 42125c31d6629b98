"""`chances` should return a list with one number for each picture. For three pictures it does. For a single picture it returns a number instead of a list, and the loop that comes next fails. Repair it."""
# exercise: repair
# covers: tensor-ops.table.squeeze
# about: tensors/axes.md#squeeze
# hint: Print the shape before and after `squeeze`, for three pictures and for one.
# hint: Which of the two axes do you want to lose? `squeeze` takes its number.

# %% start
import torch

weights = torch.tensor([[1.0], [-1.0]])


def chances(pictures):
    scores = pictures @ weights
    return torch.sigmoid(scores).squeeze().tolist()


print(chances(torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])))
print(chances(torch.tensor([[0.0, 0.0]])))

# %% solution
# -     return torch.sigmoid(scores).squeeze().tolist()
# +     return torch.sigmoid(scores).squeeze(1).tolist()

# %% right: a column picked by its index
# -     return torch.sigmoid(scores).squeeze().tolist()
# +     return torch.sigmoid(scores)[:, 0].tolist()

# %% check
_several = chances(torch.tensor([[0.0, 0.0], [2.0, 2.0], [3.0, 3.0]]))
_single = chances(torch.tensor([[1.0, 1.0]]))
assert not (_several and isinstance(_several[0], list)), "Each picture has a list of its own now. Which axis is still there?"
assert _several == [0.5, 0.5, 0.5], "Three pictures should have three numbers, as before."
assert isinstance(_single, list), "One picture still gives a bare number: both axes had the size 1, and both are gone."
assert _single == [0.5], "One picture should give a list of one number."

# %% wrong: the batch axis
# -     return torch.sigmoid(scores).squeeze().tolist()
# +     return torch.sigmoid(scores).squeeze(0).tolist()

# %% wrong: the first row instead of the first column
# -     return torch.sigmoid(scores).squeeze().tolist()
# +     return torch.sigmoid(scores)[0].tolist()

# %% wrong: a single picture left out
# -     scores = pictures @ weights
# +     if len(pictures) == 1:
# +         return []
# +     scores = pictures @ weights
