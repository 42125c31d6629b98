"""The gradients in this program were written by hand, and they turn `weight` and `bias` into four numbers each. Repair them.

`weight` and `bias` must stay single numbers, and `d_weight` and `d_bias` must be their gradients.
"""
# exercise: repair
# covers: graph.broadcast-reduce
# about: why-autograd/worked-example.md#broadcasting-forward-and-back
# hint: Print the shapes of `d_weight` and `d_bias` beside those of `weight` and `bias`.
# hint: What is broadcast in the forward pass is summed in the backward pass.

# %% start
import torch

pixels = torch.tensor([0.0, 0.25, 0.75, 1.0])
labels = torch.tensor([0.0, 0.0, 1.0, 1.0])
weight = torch.tensor(0.0)
bias = torch.tensor(0.0)
for _ in range(20):
    score = pixels * weight + bias
    loss = ((score - labels) ** 2).mean()
    d_score = 2 * (score - labels) / 4
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

# %% right: the division by 4 in the mean
# -     d_score = 2 * (score - labels) / 4
# -     d_weight = d_score * pixels
# -     d_bias = d_score
# +     d_score = 2 * (score - labels)
# +     d_weight = (d_score * pixels).mean()
# +     d_bias = d_score.mean()

# %% check
assert not (weight.dim() and bias.dim()), "Look at the shapes that the program prints: there is a weight and a bias for each pixel now, and there should be one of each."
assert not (weight.dim() or bias.dim()), "One of the two is a single number now, but the other still has four elements."
_gradients = 2 * (score - labels) / 4
_ratios = torch.stack([d_weight / (_gradients * pixels).sum(), d_bias / _gradients.sum()])
assert not torch.allclose(_ratios, torch.full((2,), 0.25)), "Both gradients are single numbers, but only a quarter of what they should be. `d_score` already contains the division by 4 that comes from the mean."
assert torch.allclose(_ratios, torch.ones(2)), "Both gradients are single numbers, but not the right ones. All four pixels contribute to each of them."

# %% wrong: the mean
# -     d_weight = d_score * pixels
# -     d_bias = d_score
# +     d_weight = (d_score * pixels).mean()
# +     d_bias = d_score.mean()

# %% wrong: the contribution of one pixel
# -     d_weight = d_score * pixels
# -     d_bias = d_score
# +     d_weight = (d_score * pixels)[-1]
# +     d_bias = d_score[-1]

# %% wrong: only the bias
# -     d_bias = d_score
# +     d_bias = d_score.sum()
