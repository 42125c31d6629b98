"""The loss of this program falls far below zero. A cross-entropy can't be negative, so the loss is computed wrongly.

Repair `mean_loss`: ten equal scores must give log 10, about 2.3026. (`nll_loss` picks the entry of the right digit out of each row, changes its sign, and returns the mean.)
"""
# exercise: repair
# about: training/symptoms.md#does-it-begin-by-guessing
# hint: Print the loss before the first step, and compare it with that of guessing.
# hint: Cross-entropy is minus the *logarithm of the probability* of the right digit. This program passes scores to `nll_loss`.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)


def mean_loss(scores, labels):
    return F.nll_loss(scores, labels)


torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for batch in train.split(50):
    loss = mean_loss(net(images[batch]), labels[batch])
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
_wide = float(mean_loss(100 * _scores, _label))
_equal, _mixed = float(mean_loss(torch.zeros(10, 10), torch.arange(10))), float(mean_loss(_scores, _label))
assert _wide == _wide, "The loss can be `nan`, because a negative number has no logarithm. Take the logarithm of the probabilities, before `nll_loss`."
assert _wide > -2, "The loss can still fall without end, because larger scores lower it. Probabilities can't grow beyond 1, so turn the scores into probabilities first."
assert _mixed > 0, "Now the loss can't fall below −1, but it can still be negative. A probability is at most 1, and the logarithm of such a number is at most 0; the logarithm is missing."
assert abs(_equal - 23.026) > 0.01, f"Ten pictures with ten equal scores each should give log 10, and they give {_equal:.4f}, the sum of ten losses. Return the mean."
assert abs(_equal - 2.3026) < 0.001, f"Ten equal scores should give log 10, and they give {_equal:.4f}. A larger score for the right digit must make the loss smaller."
assert abs(_mixed - 1.0587) > 0.001, "The softmax runs twice here, because `F.cross_entropy` applies it as well. Give it the scores themselves."
assert abs(_mixed - 1.6698) < 0.001, f"For two pictures whose loss should be 1.6698, yours is {_mixed:.4f}. The ten probabilities of each picture must add up to 1, so the softmax runs along axis 1."

# %% wrong: the absolute value
# -     return F.nll_loss(scores, labels)
# +     return F.nll_loss(scores, labels).abs()

# %% wrong: probabilities without a logarithm
# -     return F.nll_loss(scores, labels)
# +     return F.nll_loss(scores.softmax(dim=1), labels)

# %% wrong: the logarithm of the scores
# -     return F.nll_loss(scores, labels)
# +     return F.nll_loss(scores.log(), labels)

# %% wrong: the sum
# -     return F.nll_loss(scores, labels)
# +     return F.nll_loss(scores.log_softmax(dim=1), labels, reduction="sum")

# %% wrong: softmax twice
# -     return F.nll_loss(scores, labels)
# +     return F.cross_entropy(scores.softmax(dim=1), labels)

# %% wrong: over the pictures
# -     return F.nll_loss(scores, labels)
# +     return F.nll_loss(scores.log_softmax(dim=0), labels)
