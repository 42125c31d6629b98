"""This program tests how well a network recognizes the digits of *new writers*, but each of the 13 writers is in both sets.

Repair `split`: pick three writers at random for the test set, and put all pictures of the ten others into the training set.
"""
# exercise: repair
# about: training/generalization.md#how-you-split
# hint: Shuffle the writers, not the pictures: `torch.randperm(13)` has their numbers in random order.
# hint: `(writer[:, None] == test_writers).any(dim=1)` is True for each picture of these writers, and `nonzero()` turns True and False into positions.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)
writer = torch.arange(1797) // 139  # suppose that the pictures lie in the order of their 13 writers


def split():
    """Return the positions of the training pictures, and those of the test pictures."""
    order = torch.randperm(1797)
    return order[:1400], order[1400:]


torch.manual_seed(0)
train, test = split()
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(10):
    for batch in train[torch.randperm(len(train))].split(50):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

with torch.no_grad():
    correct = (net(images[test]).argmax(dim=1) == labels[test]).sum().item()
print(correct, "of", len(test))

# %% solution
# -     order = torch.randperm(1797)
# -     return order[:1400], order[1400:]
# +     test_writers = torch.randperm(13)[:3]
# +     is_test = (writer[:, None] == test_writers).any(dim=1)
# +     return (~is_test).nonzero()[:, 0], is_test.nonzero()[:, 0]

# %% right: with lists
# -     order = torch.randperm(1797)
# -     return order[:1400], order[1400:]
# +     test_writers = torch.randperm(13)[:3].tolist()
# +     is_test = [number in test_writers for number in writer.tolist()]
# +     train = [position for position in range(1797) if not is_test[position]]
# +     test = [position for position in range(1797) if is_test[position]]
# +     return torch.tensor(train), torch.tensor(test)

# %% check
_splits = [split() for _ in range(5)]
for _train, _test in _splits:
    _a, _b = _train.tolist(), _test.tolist()
    _both = set(writer[_train].tolist()) & set(writer[_test].tolist())
    assert len(_both) != 1, f"Writer {_both.pop()} is still in both sets. Divide the writers instead of cutting the pictures at position 1,400."
    assert not _both, f"{len(_both)} writers are in both sets, so the network is tested on handwriting that it has learned from."
    assert len(set(_a + _b)) == len(_a + _b) == 1797, f"{len(_a + _b)} of 1,797 pictures are in the two sets. Put every picture of the ten other writers into the training set."
    assert len(set(writer[_test].tolist())) == 3, f"The test set has {len(set(writer[_test].tolist()))} writers. It should have three."
assert len({tuple(sorted(set(writer[_test].tolist()))) for _, _test in _splits}) > 1, "The same three writers are picked each time. Pick them at random, so that you can repeat the test with others."

# %% wrong: in the order of the file
# -     order = torch.randperm(1797)
# +     order = torch.arange(1797)

# %% wrong: the last three writers
# -     order = torch.randperm(1797)
# -     return order[:1400], order[1400:]
# +     return (writer < 10).nonzero()[:, 0], (writer >= 10).nonzero()[:, 0]

# %% wrong: a single writer
# -     order = torch.randperm(1797)
# -     return order[:1400], order[1400:]
# +     is_test = writer == torch.randint(0, 13, ())
# +     return (~is_test).nonzero()[:, 0], is_test.nonzero()[:, 0]

# %% wrong: a part of the training pictures
# -     order = torch.randperm(1797)
# -     return order[:1400], order[1400:]
# +     is_test = (writer[:, None] == torch.randperm(13)[:3]).any(dim=1)
# +     return (~is_test).nonzero()[:1000, 0], is_test.nonzero()[:, 0]
