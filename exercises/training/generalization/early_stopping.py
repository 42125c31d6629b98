"""Write early stopping: this loop trains all 60 epochs, and leaves the network with the parameters of the last one.

Stop when the validation loss has not reached a new lowest value for `patience` epochs in a row, leave the network with the parameters of its best epoch, and return the number of epochs that were trained.
"""
# exercise: write
# covers: train.validation-loop save.checkpoint
# about: training/generalization.md#early-stopping
# hint: Remember two things whenever the loss is the lowest so far: the epoch, and a copy of `net.state_dict()`.
# hint: `state_dict()` shares its tensors with the network. `copy.deepcopy` makes a copy that later steps don't change.

# %% start
import copy

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
few = train[:50]


def train_one_epoch(net, optimizer):
    for batch in few[torch.randperm(50)].split(10):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def validation_loss(net):
    with torch.no_grad():
        return F.cross_entropy(net(images[validation]), labels[validation]).item()


def train_until_it_overfits(net, optimizer, patience, epochs):
    """Train for at most `epochs` epochs. Return how many were trained."""
    for epoch in range(epochs):
        train_one_epoch(net, optimizer)
        loss = validation_loss(net)
    return epochs


net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
print(train_until_it_overfits(net, optimizer, patience=10, epochs=60))
print(f"{validation_loss(net):.2f}")

# %% solution
# -     for epoch in range(epochs):
# -         train_one_epoch(net, optimizer)
# -         loss = validation_loss(net)
# -     return epochs
# +     lowest, best_epoch, best = float("inf"), None, None
# +     for epoch in range(epochs):
# +         train_one_epoch(net, optimizer)
# +         loss = validation_loss(net)
# +         if loss < lowest:
# +             lowest, best_epoch, best = loss, epoch, copy.deepcopy(net.state_dict())
# +         elif epoch - best_epoch == patience:
# +             break
# +     net.load_state_dict(best)
# +     return epoch + 1

# %% check
_losses, _trained = [], 0


def train_one_epoch(net, optimizer):
    global _trained
    _trained += 1
    with torch.no_grad():
        net.weight.fill_(float(_trained))


def validation_loss(net):
    return _losses[int(net.weight.item()) - 1]


def _run(losses, patience):
    global _losses, _trained
    _losses, _trained = losses, 0
    _net = nn.Linear(1, 1, bias=False)
    _optimizer = torch.optim.SGD(_net.parameters(), lr=0.1)
    return train_until_it_overfits(_net, _optimizer, patience, len(losses)), _trained, int(_net.weight.item())


_returned, _epochs, _kept = _run([0.9, 0.6, 0.5, 0.55, 0.48, 0.5, 0.52, 0.49, 0.5, 0.6, 0.7, 0.8, 0.9], 3)
assert (_epochs, _kept) != (13, 13), "The lowest validation loss is that of the fifth epoch, and the training still goes on to the last one."
assert _epochs < 13, "The best parameters come back, but all epochs were trained. The loop must end when the patience is over."
assert _epochs >= 8, f"The patience is 3, but the training stopped after {_epochs} epochs. The fourth loss is higher than the third, and the fifth is the lowest so far, so the count begins again there."
assert _epochs == 8, f"The lowest loss so far is the fifth. With a patience of 3 the training must end after 8 epochs, and yours ended after {_epochs}."
assert _kept == 5, f"The network has the parameters of epoch {_kept}, counted from 1. Its best epoch was the fifth. At the end, load the parameters of that epoch from a copy, because a state dict shares its tensors with the network."
_last_returned, _last_epochs, _last_kept = _run([0.9, 0.6, 0.5, 0.55, 0.6], 3)
assert _last_kept == 3, f"If all epochs are trained before the patience is over, the network must have the parameters of its best epoch, too. The best was the third, and yours are of epoch {_last_kept}."
assert (_returned, _last_returned) == (8, 5), f"In the two tests 8 and 5 epochs were trained, and you returned {_returned} and {_last_returned}."

# %% wrong: a state dict that isn't copied
# -     for epoch in range(epochs):
# -         train_one_epoch(net, optimizer)
# -         loss = validation_loss(net)
# -     return epochs
# +     lowest, best_epoch, best = float("inf"), None, None
# +     for epoch in range(epochs):
# +         train_one_epoch(net, optimizer)
# +         loss = validation_loss(net)
# +         if loss < lowest:
# +             lowest, best_epoch, best = loss, epoch, net.state_dict()
# +         elif epoch - best_epoch == patience:
# +             break
# +     net.load_state_dict(best)
# +     return epoch + 1

# %% wrong: stopped at the first rise
# -     for epoch in range(epochs):
# -         train_one_epoch(net, optimizer)
# -         loss = validation_loss(net)
# -     return epochs
# +     lowest, best = float("inf"), None
# +     for epoch in range(epochs):
# +         train_one_epoch(net, optimizer)
# +         loss = validation_loss(net)
# +         if loss >= lowest:
# +             break
# +         lowest, best = loss, copy.deepcopy(net.state_dict())
# +     net.load_state_dict(best)
# +     return epoch + 1

# %% wrong: the best of all epochs
# -     for epoch in range(epochs):
# -         train_one_epoch(net, optimizer)
# -         loss = validation_loss(net)
# -     return epochs
# +     lowest, best = float("inf"), None
# +     for epoch in range(epochs):
# +         train_one_epoch(net, optimizer)
# +         loss = validation_loss(net)
# +         if loss < lowest:
# +             lowest, best = loss, copy.deepcopy(net.state_dict())
# +     net.load_state_dict(best)
# +     return epoch + 1

# %% wrong: one epoch too many
# -     for epoch in range(epochs):
# -         train_one_epoch(net, optimizer)
# -         loss = validation_loss(net)
# -     return epochs
# +     lowest, best_epoch, best = float("inf"), None, None
# +     for epoch in range(epochs):
# +         train_one_epoch(net, optimizer)
# +         loss = validation_loss(net)
# +         if loss < lowest:
# +             lowest, best_epoch, best = loss, epoch, copy.deepcopy(net.state_dict())
# +         elif epoch - best_epoch > patience:
# +             break
# +     net.load_state_dict(best)
# +     return epoch + 1

# %% wrong: restored only when it stops early
# -     for epoch in range(epochs):
# -         train_one_epoch(net, optimizer)
# -         loss = validation_loss(net)
# -     return epochs
# +     lowest, best_epoch, best = float("inf"), None, None
# +     for epoch in range(epochs):
# +         train_one_epoch(net, optimizer)
# +         loss = validation_loss(net)
# +         if loss < lowest:
# +             lowest, best_epoch, best = loss, epoch, copy.deepcopy(net.state_dict())
# +         elif epoch - best_epoch == patience:
# +             net.load_state_dict(best)
# +             break
# +     return epoch + 1

# %% wrong: the best epoch returned
# -     for epoch in range(epochs):
# -         train_one_epoch(net, optimizer)
# -         loss = validation_loss(net)
# -     return epochs
# +     lowest, best_epoch, best = float("inf"), None, None
# +     for epoch in range(epochs):
# +         train_one_epoch(net, optimizer)
# +         loss = validation_loss(net)
# +         if loss < lowest:
# +             lowest, best_epoch, best = loss, epoch, copy.deepcopy(net.state_dict())
# +         elif epoch - best_epoch == patience:
# +             break
# +     net.load_state_dict(best)
# +     return best_epoch
