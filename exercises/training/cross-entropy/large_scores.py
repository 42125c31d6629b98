"""This cross-entropy returns `nan` as soon as one score is larger than about 88.

Repair `cross_entropy`, so that its value and its gradient agree with those of `F.cross_entropy` for scores from −1,000 to 1,000.
"""
# exercise: repair
# covers: train.loss-optimizer
# about: training/cross-entropy.md#from-scores-to-probabilities
# hint: The power of a large score becomes `inf`. Softmax doesn't change if you subtract the same number from all scores of a row.
# hint: Even then a probability can be so small that it is rounded to 0, and the logarithm of 0 is `-inf`. The logarithm of a quotient is a difference.

# %% start
import torch

scores = torch.tensor([[2.0, 1.0, 0.0], [200.0, 100.0, 0.0]], requires_grad=True)
labels = torch.tensor([0, 1])


def cross_entropy(scores, labels):
    """Return the mean loss of a batch: one row of scores and one label for each picture."""
    # keepdim=True leaves the results for the rows as a column, so each row meets its own.
    powers = scores.exp()
    p = powers / powers.sum(dim=1, keepdim=True)
    return -p[torch.arange(len(labels)), labels].log().mean()


print(cross_entropy(scores, labels))

# %% solution
# -     powers = scores.exp()
# -     p = powers / powers.sum(dim=1, keepdim=True)
# -     return -p[torch.arange(len(labels)), labels].log().mean()
# +     scores = scores - scores.max(dim=1, keepdim=True).values
# +     log_p = scores - scores.exp().sum(dim=1, keepdim=True).log()
# +     return -log_p[torch.arange(len(labels)), labels].mean()

# %% right: with logsumexp
# -     powers = scores.exp()
# -     p = powers / powers.sum(dim=1, keepdim=True)
# -     return -p[torch.arange(len(labels)), labels].log().mean()
# +     log_p = scores - torch.logsumexp(scores, dim=1, keepdim=True)
# +     return -log_p[torch.arange(len(labels)), labels].mean()

# %% check
import torch.nn.functional as _F

_cases = {
    "small scores": (torch.tensor([[2.0, 1.0, 0.0], [0.5, 0.25, -1.0]]), torch.tensor([0, 2])),
    "a score of 200": (torch.tensor([[200.0, 199.0, 0.0]]), torch.tensor([1])),
    "a right class with the probability 0": (torch.tensor([[200.0, 50.0, 0.0], [0.0, 1.0, 2.0]]), torch.tensor([1, 1])),
    "three scores of -1,000": (torch.tensor([[-1000.0, -1000.0, -1000.0]]), torch.tensor([2])),
}
for _name, (_scores, _labels) in _cases.items():
    _leaf, _model = _scores.clone().requires_grad_(), _scores.clone().requires_grad_()
    _loss, _expected = cross_entropy(_leaf, _labels), _F.cross_entropy(_model, _labels)
    _is_close = _loss.shape == _expected.shape and torch.allclose(_loss.float(), _expected, atol=1e-4)
    assert _is_close or _name != "small scores", "For small scores the loss is no longer the mean of −log p over the rows. It was right before: change only how it is computed."
    assert not _loss.isnan().any(), f"With {_name} the loss is `nan`, because `inf` is divided by `inf`, or 0 by 0."
    assert not _loss.isinf().any(), f"With {_name} the loss is `inf`. That probability is too small for a `float32` and is rounded to 0 before the logarithm."
    assert _is_close, f"With {_name} your loss is {_loss.item():.4f}, but `F.cross_entropy` gives {_expected.item():.4f}. Subtracting a number changes no differences; cutting scores off does."
    _loss.backward()
    _expected.backward()
    assert torch.allclose(_leaf.grad, _model.grad, atol=1e-4), f"With {_name} the loss is right and its gradient isn't. Is a part of the computation cut off from the graph?"

# %% wrong: only the highest score subtracted
# -     powers = scores.exp()
# +     powers = (scores - scores.max(dim=1, keepdim=True).values).exp()

# %% wrong: scores cut off at 80
# -     powers = scores.exp()
# +     powers = scores.clamp(-80, 80).exp()

# %% wrong: the highest score of the whole batch subtracted
# -     powers = scores.exp()
# -     p = powers / powers.sum(dim=1, keepdim=True)
# -     return -p[torch.arange(len(labels)), labels].log().mean()
# +     scores = scores - scores.max()
# +     log_p = scores - (scores.exp().sum(dim=1, keepdim=True) + 1e-30).log()
# +     return -log_p[torch.arange(len(labels)), labels].sum()

# %% wrong: a logarithm that is cut off from the graph
# -     powers = scores.exp()
# -     p = powers / powers.sum(dim=1, keepdim=True)
# -     return -p[torch.arange(len(labels)), labels].log().mean()
# +     log_p = scores - torch.logsumexp(scores.detach(), dim=1, keepdim=True)
# +     return -log_p[torch.arange(len(labels)), labels].mean()
