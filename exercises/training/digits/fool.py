"""`fool` should return an adversarial example, but so far it returns the picture unchanged.

Write it: no pixel may move by more than `size`, ink stays between 0 and 1, the network stays as it is, and at least 10 of 20 validation pictures must be misclassified at a size of 0.15.
"""
# exercise: write
# about: training/digits.md#adversarial-examples
# hint: Compute the gradient of the loss with respect to the picture. The picture has to require a gradient first.
# hint: Move each pixel by `size`, in the direction that the sign of its gradient gives. The loss should grow.

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
images, labels = torch.tensor(digits.data / 16).float(), torch.tensor(digits.target)

torch.manual_seed(0)
train, validation, test = torch.randperm(1797).split([1000, 400, 397])
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(5):
    for batch in train.split(50):
        loss = F.cross_entropy(net(images[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def fool(picture, label, size):
    """Return 64 numbers close to `picture` that the network doesn't classify as `label`."""
    return picture


changed = fool(images[930], labels[930], 0.15)
print(labels[930], net(changed).argmax())

# %% solution
# - def fool(picture, label, size):
# -     """Return 64 numbers close to `picture` that the network doesn't classify as `label`."""
# -     return picture
# + def fool(picture, label, size):
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     return (picture + size * picture.grad.sign()).clamp(0, 1).detach()

# %% right: through autograd.grad, away from the score of the label
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     scores = net(picture)
# +     (gradient,) = torch.autograd.grad(scores.logsumexp(0) - scores[label], picture)
# +     with torch.no_grad():
# +         return (picture + size * gradient.sign()).clamp(0, 1)

# %% check
_weights = [p.detach().clone() for p in net.parameters()]
_rise, _fooled = [], 0
for _i in validation[:20].tolist():
    _old = images[_i].clone()
    _new = fool(images[_i], labels[_i], 0.15)
    assert isinstance(_new, torch.Tensor) and _new.shape == (64,), "`fool` should return one picture of 64 numbers. The gradient that has this shape is the one with respect to the picture."
    _new = _new.detach()
    assert torch.equal(_old, images[_i]), "The picture in the data set has changed. Work on a clone of it."
    assert (_new - _old).abs().max() < 0.1501, "Some pixel moves by more than `size`. The sign of a gradient is 1, 0 or -1, so multiply `size` by the sign alone."
    assert _new.min() >= 0 and _new.max() <= 1, "Some pixel has less than no ink, or more than full ink. `clamp(0, 1)` cuts that off."
    with torch.no_grad():
        _fooled += int(net(_new).argmax() != labels[_i])
        _rise.append(F.cross_entropy(net(_new), labels[_i]) - F.cross_entropy(net(_old), labels[_i]))
assert sum(_rise) > -0.01, "The loss has fallen, so the network is surer of the right answer than before. You went against the gradient; here you have to follow it."
assert _fooled >= 10 or _fooled < 4, f"Of 20 pictures the network misclassifies {_fooled}. Take the gradient of the loss, which depends on all ten scores, and not that of a single score."
assert _fooled >= 10, f"Of 20 pictures the network misclassifies {_fooled}. Move every pixel by the full `size`, in the direction of its gradient's sign."
assert all(torch.equal(_a, _b) for _a, _b in zip(_weights, net.parameters(), strict=True)), "The weights have changed. Change only the picture and leave the network as it is."

# %% wrong: against the gradient
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     return (picture - size * picture.grad.sign()).clamp(0, 1).detach()

# %% wrong: the gradient of the weights
# -     return picture
# +     F.cross_entropy(net(picture), label).backward()
# +     return picture + size * net[0].weight.grad.sign()

# %% wrong: ten times the gradient
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     return (picture + 10 * picture.grad).clamp(0, 1).detach()

# %% wrong: away from the score of the label
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     net(picture)[label].backward()
# +     return (picture - size * picture.grad.sign()).clamp(0, 1).detach()

# %% wrong: no bounds
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     return (picture + size * picture.grad.sign()).detach()

# %% wrong: in the data set itself
# -     return picture
# +     picture.requires_grad_()
# +     (gradient,) = torch.autograd.grad(F.cross_entropy(net(picture), label), picture)
# +     with torch.no_grad():
# +         picture += size * gradient.sign()
# +         return picture.clamp_(0, 1)

# %% wrong: the network takes the step
# -     return picture
# +     picture = picture.clone().requires_grad_()
# +     F.cross_entropy(net(picture), label).backward()
# +     optimizer.step()
# +     return (picture + size * picture.grad.sign()).clamp(0, 1).detach()
