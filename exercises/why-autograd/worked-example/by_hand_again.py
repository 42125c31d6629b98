"""In this variant `right` uses `stem` twice: it is `stem * w3 * stem`. Four gradients are missing.

Fill them in, using numbers and the values of the forward pass, but not `backward`.
"""
# exercise: write
# covers: graph.example.hand-derivation
# about: why-autograd/worked-example.md#by-hand
# hint: Begin at the end. The loss is a mean, so each of the four elements of `both` has the gradient 1/4.
# hint: `stem` is used once in `left` and twice in `right`. Each use contributes to its gradient.
# hint: `w1`, `w2` and `w3` are single numbers that were used for four elements each.

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
assert not _names, f"Still missing: `{'`, `'.join(_names)}`."
_w1, _w2, _w3 = (w.clone().requires_grad_() for w in (w1, w2, w3))
_stem = image * _w1
_stem.retain_grad()
((_stem + _w2) * (_stem * _w3 * _stem)).mean().backward()


def _near(answer, gradient):
    answer = torch.as_tensor(answer, dtype=torch.float32)
    return answer.shape == gradient.shape and torch.allclose(answer, gradient)


assert torch.as_tensor(d_stem).shape == (2, 2), f"`d_stem` should hold one number for each element of `stem`, so its shape is (2, 2). Yours has the shape {tuple(torch.as_tensor(d_stem).shape)}."
assert not _near(d_stem, torch.full((2, 2), 8.0)), "`d_stem` is four times too large. The loss is a mean of four elements, so each element of `both` has the gradient 1/4."
assert not _near(d_stem, torch.full((2, 2), 1.25)), "`d_stem` lacks a contribution. `right` uses `stem` twice, and each use contributes."
assert not _near(d_stem, torch.full((2, 2), 1.5)), "`d_stem` has the two contributions that come through `right`. The one through `left` is missing."
assert _near(d_stem, _stem.grad), "`d_stem` is not right yet. Add a contribution for each use of `stem`: one through `left` and two through `right`."
assert _near(d_w2, _w2.grad) or torch.as_tensor(d_w2).dim() == 0, "`w2` is a single number, so `d_w2` should be one, too. Add the contributions of the four elements."
assert _near(d_w2, _w2.grad), "`d_w2` is not right yet. What arrives at `left` goes on to `w2` from all four elements, so four contributions are added."
assert _near(d_w3, _w3.grad), "`d_w3` should be what arrives at `right`, times what `w3` is multiplied by there, `stem * stem`, summed over all four elements."
assert _near(d_w1, _w1.grad), "`d_w1` should be what arrives at `stem`, times `image`, summed over all four elements."

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

# %% wrong: one number for stem
# - d_stem = ...
# - d_w1 = ...
# - d_w2 = ...
# - d_w3 = ...
# + d_stem = 2.0
# + d_w1 = 4.0
# + d_w2 = 2.0
# + d_w3 = 12.0

# %% wrong: a gradient for each element
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

# %% wrong: the contribution of one element for w2
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
