"""Write `gradient`: the gradient of the mean cross-entropy of a batch with respect to its scores, without calling `backward`.

The result must equal what `F.cross_entropy(scores, labels).backward()` stores in `scores.grad`, for any number of pictures and classes.
"""
# exercise: write
# covers: train.loss-optimizer
# about: training/cross-entropy.md#the-gradient
# hint: For a single picture the gradient is p − y, where y has a 1 at the label. `F.one_hot(labels, classes)` writes one such row per picture.
# hint: The loss is the mean over the pictures, so the gradient of each row is divided by their number.

# %% start
import torch
import torch.nn.functional as F


def gradient(scores, labels):
    """Return a tensor with the shape of `scores`: one row per picture, one column per class."""
    return torch.zeros_like(scores)


scores = torch.tensor([[2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
labels = torch.tensor([0, 1])
print(gradient(scores, labels))

# %% solution
# -     return torch.zeros_like(scores)
# +     p = F.softmax(scores, dim=1)
# +     return (p - F.one_hot(labels, scores.shape[1])) / len(labels)

# %% right: the 1 subtracted at the label
# -     return torch.zeros_like(scores)
# +     p = F.softmax(scores, dim=1)
# +     p[torch.arange(len(labels)), labels] -= 1
# +     return p / len(labels)

# %% check
torch.manual_seed(0)
for _pictures, _classes in ((1, 3), (4, 3), (5, 10)):
    _scores = torch.randn(_pictures, _classes)
    _labels = torch.randint(0, _classes, (_pictures,))
    _leaf = _scores.clone().requires_grad_()
    F.cross_entropy(_leaf, _labels).backward()
    _answer = gradient(_scores.clone(), _labels)
    assert _answer.shape == _scores.shape, f"The scores have the shape {tuple(_scores.shape)}, and so must their gradient. Yours has {tuple(_answer.shape)}."
    assert _answer.abs().sum() > 0, "The gradient is still zero everywhere."
    assert not torch.allclose(_answer, -_leaf.grad, atol=1e-6), "Every sign is the opposite. The gradient is negative at the label, because a higher score of the right class lowers the loss."
    assert torch.allclose(_answer.sum(dim=1), torch.zeros(_pictures), atol=1e-5), "The numbers of a row must add up to 0: the probabilities of a picture add up to 1, and then 1 is subtracted. Check the axis of the softmax and the order of the operations."
    assert _pictures == 1 or not torch.allclose(_answer, _pictures * _leaf.grad, atol=1e-6), f"This is the gradient of the *sum* of the losses. With {_pictures} pictures it is {_pictures} times too large."
    _factor = float((_answer * _leaf.grad).sum() / _leaf.grad.square().sum())
    assert abs(_factor - 1) < 1e-4 or not torch.allclose(_answer, _factor * _leaf.grad, atol=1e-6), f"In a batch of {_pictures} with {_classes} classes, each number is {_factor:.2f} times what it should be. Divide by the number of pictures."
    assert torch.allclose(_answer, _leaf.grad, atol=1e-6), "The rows add up to 0, but the numbers differ from `scores.grad`. Is the 1 subtracted in the right column, and are these the probabilities of the softmax?"

# %% wrong: the gradient of the sum
# -     return torch.zeros_like(scores)
# +     return F.softmax(scores, dim=1) - F.one_hot(labels, scores.shape[1])

# %% wrong: the step instead of the gradient
# -     return torch.zeros_like(scores)
# +     return (F.one_hot(labels, scores.shape[1]) - F.softmax(scores, dim=1)) / len(labels)

# %% wrong: softmax over the pictures
# -     return torch.zeros_like(scores)
# +     return (F.softmax(scores, dim=0) - F.one_hot(labels, scores.shape[1])) / len(labels)

# %% wrong: the most probable class in place of the label
# -     return torch.zeros_like(scores)
# +     p = F.softmax(scores, dim=1)
# +     return (p - F.one_hot(p.argmax(dim=1), scores.shape[1])) / len(labels)

# %% wrong: divided by the classes
# -     return torch.zeros_like(scores)
# +     p = F.softmax(scores, dim=1)
# +     return (p - F.one_hot(labels, scores.shape[1])) / scores.shape[1]

# %% wrong: one number per picture
# -     return torch.zeros_like(scores)
# +     p = F.softmax(scores, dim=1)
# +     return (p[torch.arange(len(labels)), labels] - 1) / len(labels)
