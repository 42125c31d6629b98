"""A network gives each pixel a score for each class: pictures, classes, rows, columns. `labels` has the right class of each pixel. `right_scores` should return the score of that class, for each pixel. Its result has the right shape and the wrong numbers. Repair it."""
# exercise: repair
# covers: tensor-ops.table.gather tensor-ops.view
# about: tensors/indexing.md#gather
# hint: Each row of `scores.view(-1, classes)` should hold the scores of one pixel. Print it, and find the scores of the first pixel.
# hint: `view` cuts the strip at other places. The scores of one pixel don't lie next to each other on it.
# hint: `gather` can read along axis 1 as it is. The index then needs as many axes as `scores`.

# %% start
import torch


def right_scores(scores, labels):
    n, classes, rows, columns = scores.shape
    picked = scores.view(-1, classes).gather(1, labels.view(-1, 1))
    return picked.view(n, rows, columns)


scores = torch.tensor([[[[1, 2, 3]], [[10, 20, 30]]]])
labels = torch.tensor([[[0, 1, 0]]])
print(scores.shape, labels.shape)
print(right_scores(scores, labels))

# %% solution
# -     n, classes, rows, columns = scores.shape
# -     picked = scores.view(-1, classes).gather(1, labels.view(-1, 1))
# -     return picked.view(n, rows, columns)
# +     return scores.gather(1, labels.unsqueeze(1)).squeeze(1)

# %% right: the classes last, and then in rows
# -     picked = scores.view(-1, classes).gather(1, labels.view(-1, 1))
# +     picked = scores.permute(0, 2, 3, 1).reshape(-1, classes).gather(1, labels.view(-1, 1))

# %% check
_scores = (torch.arange(36) * 7 % 37).view(2, 3, 2, 3)
_labels = torch.tensor([[[0, 2, 1], [1, 0, 2]], [[2, 2, 0], [1, 1, 0]]])
_made, _one = right_scores(_scores, _labels), right_scores(_scores[:1], _labels[:1])
assert _made.shape == (2, 2, 3) and _one.shape == (1, 2, 3), f"Two pictures of 2 by 3 pixels give the shape {tuple(_made.shape)}, and one gives {tuple(_one.shape)}. Which axes of size 1 should go?"
assert not torch.equal(_made, _scores.max(1).values), "These are the largest scores. The right class needn't have the largest."
_swapped = _scores.transpose(1, 3).reshape(-1, 3).gather(1, _labels.view(-1, 1)).view(2, 2, 3)
assert not torch.equal(_made, _swapped), "`transpose` brings the classes to the end and puts the columns in their place: the pixels are in another order than the labels."
_right = [[[_scores[k, _labels[k, i, j], i, j].item() for j in range(3)] for i in range(2)] for k in range(2)]
assert _made.tolist() == _right, f"For the first picture the right scores are {_right[0]}, not {_made[0].tolist()}. Whose scores are in one row?"

# %% wrong: every axis of size 1 goes
# -     n, classes, rows, columns = scores.shape
# -     picked = scores.view(-1, classes).gather(1, labels.view(-1, 1))
# -     return picked.view(n, rows, columns)
# +     return scores.gather(1, labels.unsqueeze(1)).squeeze()

# %% wrong: the best instead of the right one
# -     n, classes, rows, columns = scores.shape
# -     picked = scores.view(-1, classes).gather(1, labels.view(-1, 1))
# -     return picked.view(n, rows, columns)
# +     return scores.max(1).values

# %% wrong: two axes swapped
# -     picked = scores.view(-1, classes).gather(1, labels.view(-1, 1))
# +     picked = scores.transpose(1, 3).reshape(-1, classes).gather(1, labels.view(-1, 1))
