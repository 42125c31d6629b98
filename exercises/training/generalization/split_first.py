"""This program has only 150 pictures, so it adds four copies of each with a little noise. Then it splits. The validation accuracy is far too good, because nearly every validation picture has copies in the training set.

Split first: put 75 pictures with their four copies each into the training set, and leave the other 75 without copies for the validation set.
"""
# exercise: repair
# covers: train.validation-loop
# about: training/generalization.md#how-you-split
# hint: Shuffle the 150 pictures before there are any copies, and divide them.
# hint: `train, validation = torch.randperm(150).split([75, 75])` gives positions in `images`. Only `images[train]` gets copies.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
torch.manual_seed(0)
positions = torch.randperm(1797)[:150]
images = torch.tensor(digits.data / 16).float()[positions]
labels = torch.tensor(digits.target)[positions]


def with_copies(images):
    """Return the pictures and, behind them, four copies of all with a little noise."""
    return torch.cat([images] + [images + 0.05 * torch.randn(images.shape) for _ in range(4)])


many_images, many_labels = with_copies(images), labels.repeat(5)
order = torch.randperm(750)
train_images, train_labels = many_images[order[:375]], many_labels[order[:375]]
validation_images, validation_labels = many_images[order[375:]], many_labels[order[375:]]

net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(20):
    for batch in torch.randperm(len(train_images)).split(25):
        loss = F.cross_entropy(net(train_images[batch]), train_labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    correct = net(validation_images).argmax(dim=1) == validation_labels
print(f"{100 * correct.float().mean().item():.1f} percent of {len(correct)}")

# %% solution
# - many_images, many_labels = with_copies(images), labels.repeat(5)
# - order = torch.randperm(750)
# - train_images, train_labels = many_images[order[:375]], many_labels[order[:375]]
# - validation_images, validation_labels = many_images[order[375:]], many_labels[order[375:]]
# + train, validation = torch.randperm(150).split([75, 75])
# + train_images, train_labels = with_copies(images[train]), labels[train].repeat(5)
# + validation_images, validation_labels = images[validation], labels[validation]

# %% check
def _nearest(pictures):
    """Return for each picture the position of the nearest of the 150, and the distance."""
    _distances = ((pictures[:, None] - images[None]) ** 2).sum(dim=2)
    return _distances.argmin(dim=1), _distances.min(dim=1).values


_train, _ = _nearest(train_images)
_validation, _noise = _nearest(validation_images)
_shared = len(set(_train.tolist()) & set(_validation.tolist()))
assert not _shared, f"{_shared} of the 150 pictures are in both sets, themselves or as a copy."
assert _noise.max() < 1e-6, "No picture is in both sets now, but the validation set has copies with noise. New pictures won't have this noise, and copies add no new information about the accuracy."
assert len(train_images) == 375, f"The training set has {len(train_images)} pictures. It should have 375: 75 pictures and four copies of each."
assert len(validation_images) == 75, f"The validation set has {len(validation_images)} pictures. It should have the 75 pictures that are not in the training set."
assert torch.equal(train_labels, labels[_train]) and torch.equal(validation_labels, labels[_validation]), "Some pictures have the label of another. `with_copies` returns all pictures first, then all first copies, and so on."

# %% wrong: copies on both sides
# - many_images, many_labels = with_copies(images), labels.repeat(5)
# - order = torch.randperm(750)
# - train_images, train_labels = many_images[order[:375]], many_labels[order[:375]]
# - validation_images, validation_labels = many_images[order[375:]], many_labels[order[375:]]
# + train, validation = torch.randperm(150).split([75, 75])
# + train_images, train_labels = with_copies(images[train]), labels[train].repeat(5)
# + validation_images, validation_labels = with_copies(images[validation]), labels[validation].repeat(5)

# %% wrong: no copies at all
# - many_images, many_labels = with_copies(images), labels.repeat(5)
# - order = torch.randperm(750)
# - train_images, train_labels = many_images[order[:375]], many_labels[order[:375]]
# - validation_images, validation_labels = many_images[order[375:]], many_labels[order[375:]]
# + train, validation = torch.randperm(150).split([75, 75])
# + train_images, train_labels = images[train], labels[train]
# + validation_images, validation_labels = images[validation], labels[validation]

# %% wrong: fewer validation pictures
# - many_images, many_labels = with_copies(images), labels.repeat(5)
# - order = torch.randperm(750)
# - train_images, train_labels = many_images[order[:375]], many_labels[order[:375]]
# - validation_images, validation_labels = many_images[order[375:]], many_labels[order[375:]]
# + train, validation, test = torch.randperm(150).split([75, 40, 35])
# + train_images, train_labels = with_copies(images[train]), labels[train].repeat(5)
# + validation_images, validation_labels = images[validation], labels[validation]

# %% wrong: labels in another order
# - many_images, many_labels = with_copies(images), labels.repeat(5)
# - order = torch.randperm(750)
# - train_images, train_labels = many_images[order[:375]], many_labels[order[:375]]
# - validation_images, validation_labels = many_images[order[375:]], many_labels[order[375:]]
# + train, validation = torch.randperm(150).split([75, 75])
# + train_images, train_labels = with_copies(images[train]), labels[train].repeat_interleave(5)
# + validation_images, validation_labels = images[validation], labels[validation]
