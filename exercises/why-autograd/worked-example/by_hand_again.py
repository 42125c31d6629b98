"""In this variant `stem` meets itself: `right` is `stem * w3 * stem`. Fill in the four gradients by hand.

Use only numbers and the values of the forward pass, without `backward`.
"""
# exercise: write
# covers: graph.example.hand-derivation
# about: why-autograd/worked-example.md#by-hand
# hint: Begin at the end. Each of the four elements of `both` has a quarter of the loss.
# hint: How many ways lead from `stem` to `loss`? Each of them brings a share.
# hint: `w2` and `w3` are single numbers that met four elements each.

# %% start
import torch

image = torch.full((2, 2), 0.5)
w1, w2, w3 = torch.tensor(4.0), torch.tensor(1.0), torch.tensor(0.5)
stem = image * w1
left = stem + w2
right = stem * w3 * stem
both = left * right
loss = both.mean()

d_both = torch.full((2, 2), 0.25)
d_stem = ...
d_w1 = ...
d_w2 = ...
d_w3 = ...
print(d_w1, d_w2, d_w3)

# %% solution
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_left = d_both * right
# + d_right = d_both * left
# + d_stem = d_left + 2 * d_right * w3 * stem
# + d_w1 = (d_stem * image).sum()
# + d_w2 = d_left.sum()
# + d_w3 = (d_right * stem * stem).sum()

# %% right: the numbers
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_stem = torch.full((2, 2), 2.0)
# + d_w1 = 4.0
# + d_w2 = 2.0
# + d_w3 = 12.0

# %% check
_names = [name for name in ("d_stem", "d_w1", "d_w2", "d_w3") if globals()[name] is ...]
assert not _names, f"`{'`, `'.join(_names)}` is still to be filled in."
_w1, _w2, _w3 = (w.clone().requires_grad_() for w in (w1, w2, w3))
_stem = image * _w1
_stem.retain_grad()
((_stem + _w2) * (_stem * _w3 * _stem)).mean().backward()


def _near(mine, right):
    mine = torch.as_tensor(mine, dtype=torch.float32)
    return mine.shape == right.shape and torch.allclose(mine, right)


assert not _near(d_stem, torch.full((2, 2), 8.0)), "`d_stem` is four times too large. `loss` is a mean: how much of it has each element of `both`?"
assert not _near(d_stem, torch.full((2, 2), 1.25)), "`d_stem` lacks a share. `right` uses `stem` twice, and each use sends a share back."
assert not _near(d_stem, torch.full((2, 2), 1.5)), "These are the shares from `right`. Who else uses `stem`?"
assert _near(d_stem, _stem.grad), "`d_stem` is not right yet. Add what arrives from each place where `stem` is used."
assert _near(d_w2, _w2.grad) or torch.as_tensor(d_w2).dim() == 0, "`w2` is one number, so its gradient is one number. What came from four elements is added up."
assert _near(d_w2, _w2.grad), "`d_w2`: `left` is a sum, so all that arrives at `left` goes on to `w2`, from each of four elements."
assert _near(d_w3, _w3.grad), "`d_w3`: what arrives at `right`, times what `w3` is multiplied by there, summed over all four elements."
assert _near(d_w1, _w1.grad), "`d_w1`: what arrives at `stem`, times `image`, over all four elements."

# %% wrong: one use of stem is missing
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_left = d_both * right
# + d_right = d_both * left
# + d_stem = d_left + d_right * w3 * stem
# + d_w1 = (d_stem * image).sum()
# + d_w2 = d_left.sum()
# + d_w3 = (d_right * stem * stem).sum()

# %% wrong: only the branch on the right
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_left = d_both * right
# + d_right = d_both * left
# + d_stem = 2 * d_right * w3 * stem
# + d_w1 = (d_stem * image).sum()
# + d_w2 = d_left.sum()
# + d_w3 = (d_right * stem * stem).sum()

# %% wrong: the quarter forgotten
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_left = right
# + d_right = left
# + d_stem = d_left + 2 * d_right * w3 * stem
# + d_w1 = (d_stem * image).sum()
# + d_w2 = d_left.sum()
# + d_w3 = (d_right * stem * stem).sum()

# %% wrong: a gradient for each element that w2 met
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_left = d_both * right
# + d_right = d_both * left
# + d_stem = d_left + 2 * d_right * w3 * stem
# + d_w1 = (d_stem * image).sum()
# + d_w2 = d_left
# + d_w3 = (d_right * stem * stem).sum()

# %% wrong: one element's share for w2
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_left = d_both * right
# + d_right = d_both * left
# + d_stem = d_left + 2 * d_right * w3 * stem
# + d_w1 = (d_stem * image).sum()
# + d_w2 = d_left[0, 0]
# + d_w3 = (d_right * stem * stem).sum()

# %% wrong: w3 as a factor of its own gradient
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_left = d_both * right
# + d_right = d_both * left
# + d_stem = d_left + 2 * d_right * w3 * stem
# + d_w1 = (d_stem * image).sum()
# + d_w2 = d_left.sum()
# + d_w3 = (d_right * right).sum()

# %% wrong: a mean in the place of a sum
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_left = d_both * right
# + d_right = d_both * left
# + d_stem = d_left + 2 * d_right * w3 * stem
# + d_w1 = (d_stem * image).mean()
# + d_w2 = d_left.sum()
# + d_w3 = (d_right * stem * stem).sum()

# %% wrong: stem as if it were used once in all
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_left = d_both * right
# + d_right = d_both * left
# + d_stem = d_left
# + d_w1 = (d_stem * image).sum()
# + d_w2 = d_left.sum()
# + d_w3 = (d_right * stem * stem).sum()
