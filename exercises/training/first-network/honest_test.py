"""This program reports too few mistakes: many of its test pictures were also used for training. Repair the split.

Train on 1,000 pictures, and test on the 797 others.
"""
# exercise: repair
# about: training/first-network.md#three-sets-one-choice
# hint: Print the length of `set(train.tolist()) & set(test.tolist())`. That many pictures are in both sets.
# hint: Each call of `randperm` shuffles all 1,797 pictures again, so the last 797 of the second order have nothing to do with the first 1,000 of the first.
# hint: Shuffle once, keep the order in a variable, and take both sets from it.

# %% start
import torch
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train = torch.randperm(1797)[:1000]
test = torch.randperm(1797)[1000:]

net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in train.split(50):
        loss = nn.functional.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

with torch.no_grad():
    wrong = net(images[test]).argmax(dim=1) != labels[test]
print(wrong.sum().item(), "mistakes on", len(test), "test pictures")

# %% solution
# - train = torch.randperm(1797)[:1000]
# - test = torch.randperm(1797)[1000:]
# + train, test = torch.randperm(1797).split([1000, 797])

# %% right: one order, two slices
# - train = torch.randperm(1797)[:1000]
# - test = torch.randperm(1797)[1000:]
# + order = torch.randperm(1797)
# + train, test = order[:1000], order[1000:]

# %% right: the others as a list
# - test = torch.randperm(1797)[1000:]
# + test = [i for i in range(1797) if i not in set(train.tolist())]

# %% right: the same seed for both shuffles
# - test = torch.randperm(1797)[1000:]
# + torch.manual_seed(0)
# + test = torch.randperm(1797)[1000:]

# %% check
_train, _test = torch.as_tensor(train).tolist(), torch.as_tensor(test).tolist()
_shared = set(_train) & set(_test)
assert len(_shared) < len(test), "Every test picture is now a training picture as well. A test tells you something only if its pictures are new to the network."
assert not (_shared and _test == sorted(_test)), f"The test set is no longer random, but the training set is still a random thousand of all 1,797 pictures. {len(_shared)} of them are among the last 797."
assert not _shared, f"{len(_shared)} of the {len(test)} test pictures were also used for training. The two lines shuffle twice, so they use two different orders."
assert len(train) == 1000, f"No picture is in both sets any more, but only {len(train)} of 1,000 are left to learn from."
assert len(test) == 797, f"No picture is in both sets any more, but only {len(test)} of the 797 others are tested. The rest appear in neither set."

# %% wrong: test pictures taken from the training set
# - test = torch.randperm(1797)[1000:]
# + test = train[:797]

# %% wrong: the last pictures of the file
# - test = torch.randperm(1797)[1000:]
# + test = torch.arange(1000, 1797)

# %% wrong: shared pictures removed from the training set
# - test = torch.randperm(1797)[1000:]
# + test = torch.randperm(1797)[1000:]
# + train = torch.tensor([i for i in train.tolist() if i not in set(test.tolist())])

# %% wrong: shared pictures removed from the test set
# - test = torch.randperm(1797)[1000:]
# + test = torch.tensor([i for i in torch.randperm(1797)[1000:].tolist() if i not in set(train.tolist())])
