"""The loss falls and falls, and is far below zero by now. A loss of this kind can't be negative. Mend it.

`nll_loss` picks the entry of the right digit out of each row, turns its sign, and takes the mean.
"""
# exercise: repair
# about: training/symptoms.md#does-it-begin-by-guessing
# hint: Print the loss before the first step. Which value should be there?
# hint: In the formula of the page, what does the minus sign stand before: a score, or a logarithm?

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)


def loss_of(scores, labels):
    return F.nll_loss(scores, labels)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for batch in torch.randperm(1000).split(50):
    loss = loss_of(net(pictures[batch]), labels[batch])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.4g}")

# %% solution
# -     return F.nll_loss(scores, labels)
# +     return F.nll_loss(scores.log_softmax(dim=1), labels)

# %% right: the loss that does both
# -     return F.nll_loss(scores, labels)
# +     return F.cross_entropy(scores, labels)

# %% check
_scores, _label = torch.tensor([[2.0, 0.0, -1.0], [2.0, 0.0, -1.0]]), torch.tensor([0, 2])
_equal, _some = float(loss_of(torch.zeros(10, 10), torch.arange(10))), float(loss_of(_scores, _label))
assert float(loss_of(100 * _scores, _label)) > -2, "It can still fall without end: larger scores are all it takes. What do probabilities have that scores lack?"
assert _some > 0, "It has a floor now, and that lies below zero. A probability is at most 1; the logarithm of it, at most what?"
assert abs(_equal - 2.3026) < 0.001, f"Ten equal scores should give log 10. They give {_equal:.4f}. Does a larger score for the right digit make your loss smaller?"
assert abs(_some - 1.6698) < 0.001, f"Two pictures that should give 1.6698 give {_some:.4f}. Which numbers add up to 1 in your loss: those of one picture?"

# %% wrong: the absolute value
# -     return F.nll_loss(scores, labels)
# +     return F.nll_loss(scores, labels).abs()

# %% wrong: probabilities without a logarithm
# -     return F.nll_loss(scores, labels)
# +     return F.nll_loss(scores.softmax(dim=1), labels)

# %% wrong: over the pictures
# -     return F.nll_loss(scores, labels)
# +     return F.nll_loss(scores.log_softmax(dim=0), labels)
