"""Networks that learn from one-hot labels become overconfident. Label smoothing gives the label 0.9 and divides the other 0.1 equally among the remaining classes. Write `smoothed` for a vector of labels: with three classes, label 2 should become 0.05, 0.05, 0.9."""
# exercise: write
# covers: scatter.case3-onehot
# about: tensors/indexing.md#three-labels
# hint: `scatter_` can write any number, and the tensor that it writes to need not begin with zeros.
# hint: The 0.1 is divided by the number of classes without the label.
# hint: `torch.full((rows, columns), number)` makes a tensor of one number.

# %% start
import torch


def smoothed(labels, classes):
    return torch.zeros(len(labels), classes).scatter_(1, labels[:, None], 1)


print(smoothed(torch.tensor([2, 0]), 3))

# %% solution
# -     return torch.zeros(len(labels), classes).scatter_(1, labels[:, None], 1)
# +     return torch.full((len(labels), classes), 0.1 / (classes - 1)).scatter_(1, labels[:, None], 0.9)

# %% right: from the one-hot vectors
# -     return torch.zeros(len(labels), classes).scatter_(1, labels[:, None], 1)
# +     hot = torch.nn.functional.one_hot(labels, classes)
# +     return 0.9 * hot + 0.1 / (classes - 1) * (1 - hot)

# %% check
_made = smoothed(torch.tensor([1, 1, 4, 0]), 5)
assert _made.shape == (4, 5), f"Four labels and five classes need the shape 4 by 5. Yours is {tuple(_made.shape)}."
assert _made.max() < 1, "The label still gets 1. The last argument of `scatter_` is the number that is written."
assert torch.allclose(_made.sum(1), torch.ones(4)), "Each row should add up to 1. The label has 0.9, and the other four classes divide 0.1."
assert torch.allclose(_made.max(1).values, torch.full((4,), 0.9)), "The rows add up to 1, but the label doesn't get 0.9. Divide the 0.1 among the other classes only."
assert _made.argmax(1).tolist() == [1, 1, 4, 0], "The numbers are right, but they are at the wrong positions."

# %% wrong: nothing for the others
# -     return torch.zeros(len(labels), classes).scatter_(1, labels[:, None], 1)
# +     return torch.zeros(len(labels), classes).scatter_(1, labels[:, None], 0.9)

# %% wrong: divided with the label too
# -     return torch.zeros(len(labels), classes).scatter_(1, labels[:, None], 1)
# +     return torch.full((len(labels), classes), 0.1 / classes).scatter_add_(1, labels[:, None], torch.full((len(labels), 1), 0.9))

# %% wrong: classes as rows
# -     return torch.zeros(len(labels), classes).scatter_(1, labels[:, None], 1)
# +     return torch.full((classes, len(labels)), 0.1 / (classes - 1)).scatter_(0, labels[None], 0.9)

# %% wrong: counted from the end
# -     return torch.zeros(len(labels), classes).scatter_(1, labels[:, None], 1)
# +     return torch.full((len(labels), classes), 0.1 / (classes - 1)).scatter_(1, classes - 1 - labels[:, None], 0.9)
