"""Write `fool`: change a picture so little that you would still read the same digit, and the network another.

No pixel may move by more than `size`, and ink stays between 0 and 1. The weights stay as they are.
"""
# exercise: write
# about: training/digits.md#which-pixels-made-it-say-so
# hint: Ask for the gradient of the loss by the picture. The picture has to require one first.
# hint: Only the sign of each slope counts. Which sign raises the loss?

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(5):
    for batch in torch.randperm(1000).split(50):
        loss = F.cross_entropy(net(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def fool(picture, label, size):
    """A picture (64 numbers) close to `picture` (64 numbers) that the network doesn't read as `label` (one number)."""
    return picture


changed = fool(pictures[1003], labels[1003], 0.15)
print(labels[1003], net(changed).argmax())

# %% solution
# - def fool(picture, label, size):
# -     """A picture (64 numbers) close to `picture` (64 numbers) that the network doesn't read as `label` (one number)."""
# -     return picture
# + def fool(picture, label, size):
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     return (picture + size * picture.grad.sign()).clamp(0, 1).detach()

# %% right: through autograd.grad, away from the score of the label
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     scores = net(picture)
# +     (slopes,) = torch.autograd.grad(scores.logsumexp(0) - scores[label], picture)
# +     with torch.no_grad():
# +         return (picture + size * slopes.sign()).clamp(0, 1)

# %% check
_weights = [p.detach().clone() for p in net.parameters()]
_chance, _fooled = [], 0
for _i in range(1000, 1020):
    _old = pictures[_i].clone()
    _new = fool(pictures[_i], labels[_i], 0.15)
    assert isinstance(_new, torch.Tensor) and _new.shape == (64,), "`fool` is to give back one picture of 64 numbers. Whose gradient has that shape?"
    _new = _new.detach()
    assert torch.equal(_old, pictures[_i]), "The picture in the data set has changed. Work on a clone of it."
    assert (_new - _old).abs().max() < 0.1501, "Some pixel moves by more than `size`. How large is a slope, and how large is its sign?"
    assert _new.min() >= 0 and _new.max() <= 1, "There is less ink than none somewhere, or more than full. `clamp(0, 1)` cuts that off."
    with torch.no_grad():
        _fooled += int(net(_new).argmax() != labels[_i])
        _chance.append(F.cross_entropy(net(_new), labels[_i]) - F.cross_entropy(net(_old), labels[_i]))
assert sum(_chance) > -0.01, "The network is surer of the right answer than before. You went down the slope; which way is up?"
assert _fooled >= 10, f"Of 20 pictures the network misreads {_fooled}. Does your step use all of `size` in each pixel, and the gradient's signs?"
assert all(torch.equal(_a, _b) for _a, _b in zip(_weights, net.parameters(), strict=True)), "The weights have moved. Change the picture and not the network."

# %% wrong: down the slope
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     return (picture - size * picture.grad.sign()).clamp(0, 1).detach()

# %% wrong: the gradient of the weights
# -     return picture
# +     F.cross_entropy(net(picture), label).backward()
# +     return picture + size * net[0].weight.grad.sign()

# %% wrong: ten times the slope
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     return (picture + 10 * picture.grad).clamp(0, 1).detach()

# %% wrong: no bounds
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     return (picture + size * picture.grad.sign()).detach()

# %% wrong: in the data set itself
# -     return picture
# +     picture.requires_grad_()
# +     (slopes,) = torch.autograd.grad(F.cross_entropy(net(picture), label), picture)
# +     with torch.no_grad():
# +         picture += size * slopes.sign()
# +         return picture.clamp_(0, 1)

# %% wrong: the network takes the step
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     optimizer.step()
# +     return (picture + size * picture.grad.sign()).clamp(0, 1).detach()
