"""`probabilities` returns a list for three pictures, but for a single picture it returns a number, and the loop that follows fails. Repair it: it should return a list with one number for each picture."""
# exercise: repair
# covers: tensor-ops.table.squeeze
# about: tensors/axes.md#squeeze
# hint: Print the shape before and after `squeeze`, for three pictures and for one.
# hint: Remove only the second axis. `squeeze` takes its number.

# %% start
import torch

weights = torch.tensor([[1.0], [-1.0]])


def probabilities(pictures):
    scores = pictures @ weights
    return torch.sigmoid(scores).squeeze().tolist()


print(probabilities(torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])))
print(probabilities(torch.tensor([[0.0, 0.0]])))

# %% solution
# -     return torch.sigmoid(scores).squeeze().tolist()
# +     return torch.sigmoid(scores).squeeze(1).tolist()

# %% right: a column picked by its index
# -     return torch.sigmoid(scores).squeeze().tolist()
# +     return torch.sigmoid(scores)[:, 0].tolist()

# %% check
_several = probabilities(torch.tensor([[0.0, 0.0], [2.0, 2.0], [3.0, 3.0]]))
_single = probabilities(torch.tensor([[1.0, 1.0]]))
assert not (_several and isinstance(_several[0], list)), "Each picture has a separate list now, because the second axis is still there."
assert _several == [0.5, 0.5, 0.5], "Three pictures should give three numbers, as before."
assert isinstance(_single, list), "One picture still gives a number, because both axes have size 1 and both were removed."
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
