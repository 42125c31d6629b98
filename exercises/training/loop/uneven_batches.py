"""797 pictures make fifteen batches of 50 and one of 47. Write `look`: the mean loss per picture and the share of right answers, computed batch by batch."""
# exercise: write
# covers: train.validation-loop
# about: training/loop.md#look-without-leaving-a-trace
# hint: The mean over a batch forgets how many there were. Which sums don't?
# hint: `F.cross_entropy(..., reduction="sum")` adds the losses of a batch.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

torch.manual_seed(0)
net = nn.Linear(64, 10)


def look(batches):
    """The mean loss and the share of right answers, as two Python numbers; `batches` is a list of pairs (pictures, labels)."""
    loss, right = 0.0, 0.0
    return loss, right


unseen = list(zip(pictures[1000:].split(50), labels[1000:].split(50), strict=True))
print(look(unseen))

# %% solution
# -     loss, right = 0.0, 0.0
# -     return loss, right
# +     loss, right, many = 0.0, 0, 0
# +     with torch.no_grad():
# +         for x, y in batches:
# +             scores = net(x)
# +             loss += F.cross_entropy(scores, y, reduction="sum").item()
# +             right += (scores.argmax(dim=1) == y).sum().item()
# +             many += len(y)
# +     return loss / many, right / many

# %% right: means, weighed by the size of the batch
# -     loss, right = 0.0, 0.0
# -     return loss, right
# +     many = sum(len(y) for _, y in batches)
# +     with torch.no_grad():
# +         loss = sum(F.cross_entropy(net(x), y).item() * len(y) for x, y in batches)
# +         right = sum((net(x).argmax(1) == y).sum().item() for x, y in batches)
# +     return loss / many, right / many

# %% check
_batches = [(pictures[:4], labels[:4]), (pictures[4:24], labels[4:24]), (pictures[24:25], labels[24:25])]
_answer = look(_batches)
with torch.no_grad():
    _scores = net(pictures[:25])
    _loss = F.cross_entropy(_scores, labels[:25]).item()
    _right = (_scores.argmax(dim=1) == labels[:25]).float().mean().item()
assert len(_answer) == 2 and not any(isinstance(_a, torch.Tensor) for _a in _answer), "`look` is to give two Python numbers. A tensor may hold a whole graph; `item` takes the number out."
assert _answer[0] > 0, "Nothing is added up yet."
assert abs(_answer[0] - _loss) < 1e-4, f"For batches of 4, 20 and 1 pictures your loss is {_answer[0]:.4f}, and that of all 25 at once {_loss:.4f}. Does the single picture count as much as the twenty?"
assert abs(_answer[1] - _right) < 1e-4, f"The loss is right. The share is {_right:.2f}, and yours {_answer[1]:.2f}: a share of what?"

# %% wrong: the mean of the means
# -     loss, right = 0.0, 0.0
# -     return loss, right
# +     loss, right = 0.0, 0.0
# +     with torch.no_grad():
# +         for x, y in batches:
# +             scores = net(x)
# +             loss += F.cross_entropy(scores, y).item()
# +             right += (scores.argmax(dim=1) == y).float().mean().item()
# +     return loss / len(batches), right / len(batches)

# %% wrong: a share of the batches
# -     loss, right = 0.0, 0.0
# -     return loss, right
# +     loss, right, many = 0.0, 0, 0
# +     with torch.no_grad():
# +         for x, y in batches:
# +             scores = net(x)
# +             loss += F.cross_entropy(scores, y, reduction="sum").item()
# +             right += (scores.argmax(dim=1) == y).sum().item()
# +             many += len(y)
# +     return loss / many, right / len(batches)

# %% wrong: losses that keep their graphs
# -     loss, right = 0.0, 0.0
# -     return loss, right
# +     loss, right, many = 0.0, 0, 0
# +     for x, y in batches:
# +         scores = net(x)
# +         loss += F.cross_entropy(scores, y, reduction="sum")
# +         right += (scores.argmax(dim=1) == y).sum()
# +         many += len(y)
# +     return loss / many, right / many
