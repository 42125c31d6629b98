"""`scores` has the axes picture, class, row and column, and `labels` holds the right class of each pixel. The result of `right_scores` has the right shape and the wrong numbers. Repair it: it should return the score of the right class for each pixel."""
# exercise: repair
# covers: tensor-ops.table.gather tensor-ops.view
# about: tensors/indexing.md#gather
# hint: Each row of `scores.view(-1, classes)` should hold the scores of one pixel. Print it, and find the scores of the first pixel.
# hint: `view` cuts the storage at other positions. The scores of one pixel aren't next to each other in it.
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
assert _made.shape == (2, 2, 3) and _one.shape == (1, 2, 3), f"Two pictures of 2 by 3 pixels give the shape {tuple(_made.shape)}, and one gives {tuple(_one.shape)}. Remove only axis 1, which `gather` leaves with size 1."
assert not torch.equal(_made, _scores.max(1).values), "These are the largest scores. The right class may have a smaller one."
_swapped = _scores.transpose(1, 3).reshape(-1, 3).gather(1, _labels.view(-1, 1)).view(2, 2, 3)
assert not torch.equal(_made, _swapped), "`transpose` moves the classes to the end and the columns to their old position, so the pixels are in another order than the labels."
_right = [[[_scores[k, _labels[k, i, j], i, j].item() for j in range(3)] for i in range(2)] for k in range(2)]
assert _made.tolist() == _right, f"For the first picture the right scores are {_right[0]}, not {_made[0].tolist()}. Each row of the table should hold the scores of one pixel."

# %% wrong: every axis of size 1 removed
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
