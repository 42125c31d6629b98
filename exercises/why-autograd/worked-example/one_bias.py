"""This gradient was written by hand, and training with it drifts away. Repair it.

`weight` and `bias` are single numbers that meet four pixels each.
"""
# exercise: repair
# covers: graph.broadcast-reduce
# about: why-autograd/worked-example.md#broadcasting-forward-and-back
# hint: Print the shapes of `d_weight` and `d_bias` beside those of `weight` and `bias`.
# hint: What was spread in the forward pass is added up on the way back.

# %% start
import torch

pixels = torch.tensor([0.0, 0.25, 0.75, 1.0])
wanted = torch.tensor([0.0, 0.0, 1.0, 1.0])
weight = torch.tensor(0.0)
bias = torch.tensor(0.0)
for _ in range(20):
    score = pixels * weight + bias
    loss = ((score - wanted) ** 2).mean()
    d_score = 2 * (score - wanted) / 4
    d_weight = d_score * pixels
    d_bias = d_score
    weight = weight - 0.5 * d_weight
    bias = bias - 0.5 * d_bias
print(loss, weight.shape, bias.shape)

# %% solution
# -     d_weight = d_score * pixels
# -     d_bias = d_score
# +     d_weight = (d_score * pixels).sum()
# +     d_bias = d_score.sum()

# %% check
assert not (weight.dim() and bias.dim()), "Look at the shapes: you have a weight and a bias for each pixel, and one of each was asked for."
assert not (weight.dim() or bias.dim()), "One of the two is a single number now. The other still has four elements."
_shares = torch.stack([d_weight / (d_score * pixels).sum(), d_bias / d_score.sum()])
assert not torch.allclose(_shares, torch.full((2,), 0.25)), "One number each, and a quarter of what it should be. `loss` is a mean already, and `d_score` has its quarter. Is another one due?"
assert torch.allclose(_shares, torch.ones(2)), "One number each, and not the gradient. All four pixels pull at it."

# %% wrong: the mean
# -     d_weight = d_score * pixels
# -     d_bias = d_score
# +     d_weight = (d_score * pixels).mean()
# +     d_bias = d_score.mean()

# %% wrong: one pixel's share
# -     d_weight = d_score * pixels
# -     d_bias = d_score
# +     d_weight = (d_score * pixels)[-1]
# +     d_bias = d_score[-1]

# %% wrong: only the bias
# -     d_bias = d_score
# +     d_bias = d_score.sum()
