"""Write `evaluate`, which gets a set of pictures as a list of mini-batches of different sizes.

Return the mean loss per picture and the accuracy of the whole set, as two Python numbers, equal to what one forward pass with all pictures would give.
"""
# exercise: write
# covers: train.validation-loop
# about: training/loop.md#look-without-leaving-a-trace
# hint: A mean no longer tells how many pictures it came from. Add up sums, and count the pictures.
# hint: `F.cross_entropy(..., reduction="sum")` returns the sum of the losses of a mini-batch.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Linear(64, 10)


def evaluate(batches):
    """Return the mean loss and the accuracy; each mini-batch is a pair (images, labels)."""
    loss, accuracy = 0.0, 0.0
    return loss, accuracy


batches = [(images[indices], labels[indices]) for indices in validation.split(150)]
print(evaluate(batches))

# %% solution
# -     loss, accuracy = 0.0, 0.0
# -     return loss, accuracy
# +     loss, correct, count = 0.0, 0, 0
# +     with torch.no_grad():
# +         for x, y in batches:
# +             scores = net(x)
# +             loss += F.cross_entropy(scores, y, reduction="sum").item()
# +             correct += (scores.argmax(dim=1) == y).sum().item()
# +             count += len(y)
# +     return loss / count, correct / count

# %% right: means, weighted by the size of the mini-batch
# -     loss, accuracy = 0.0, 0.0
# -     return loss, accuracy
# +     count = sum(len(y) for _, y in batches)
# +     with torch.no_grad():
# +         loss = sum(F.cross_entropy(net(x), y).item() * len(y) for x, y in batches)
# +         correct = sum((net(x).argmax(1) == y).sum().item() for x, y in batches)
# +     return loss / count, correct / count

# %% check
_batches = [(images[:4], labels[:4]), (images[4:24], labels[4:24]), (images[24:25], labels[24:25])]
_answer = evaluate(_batches)
with torch.no_grad():
    _scores = net(images[:25])
    _loss = F.cross_entropy(_scores, labels[:25]).item()
    _accuracy = (_scores.argmax(dim=1) == labels[:25]).float().mean().item()
assert len(_answer) == 2 and not any(isinstance(_a, torch.Tensor) for _a in _answer), "`evaluate` must return two Python numbers. A tensor can keep a whole graph alive, and `item` takes the number out of it."
assert _answer[0] > 0, "The loss is 0, because nothing has been added up yet."
assert abs(_answer[0] - _loss) < 1e-4, f"For mini-batches of 4, 20 and 1 pictures your loss is {_answer[0]:.4f}, and for all 25 at once it is {_loss:.4f}. Add up the losses of all 25 pictures, and divide the sum by 25."
assert abs(_answer[1] - _accuracy) < 1e-4, f"The loss is right. The accuracy is {_accuracy:.2f}, and yours is {_answer[1]:.2f}. Divide the number of correct answers by the number of pictures."

# %% wrong: the mean of the means
# -     loss, accuracy = 0.0, 0.0
# -     return loss, accuracy
# +     loss, accuracy = 0.0, 0.0
# +     with torch.no_grad():
# +         for x, y in batches:
# +             scores = net(x)
# +             loss += F.cross_entropy(scores, y).item()
# +             accuracy += (scores.argmax(dim=1) == y).float().mean().item()
# +     return loss / len(batches), accuracy / len(batches)

# %% wrong: correct answers per mini-batch
# -     loss, accuracy = 0.0, 0.0
# -     return loss, accuracy
# +     loss, correct, count = 0.0, 0, 0
# +     with torch.no_grad():
# +         for x, y in batches:
# +             scores = net(x)
# +             loss += F.cross_entropy(scores, y, reduction="sum").item()
# +             correct += (scores.argmax(dim=1) == y).sum().item()
# +             count += len(y)
# +     return loss / count, correct / len(batches)

# %% wrong: losses that keep their graphs
# -     loss, accuracy = 0.0, 0.0
# -     return loss, accuracy
# +     loss, correct, count = 0.0, 0, 0
# +     for x, y in batches:
# +         scores = net(x)
# +         loss += F.cross_entropy(scores, y, reduction="sum")
# +         correct += (scores.argmax(dim=1) == y).sum()
# +         count += len(y)
# +     return loss / count, correct / count
