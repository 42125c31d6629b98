"""A leaf is a tensor that no recorded operation computed. Point at all leaves."""
# exercise: point
# covers: autograd.leaf.rule autograd.leaf.two-origins
# about: why-autograd/leaves.md#set-requires-grad-last
# at: tensors
# answer: where it.is_leaf
# hint: Go through the program line by line, and find out for each tensor whether a recorded operation computed it.
# hint: A tensor that requires no gradient is a leaf, too.
# hint: `detach` returns a tensor without a graph. Converting a tensor that requires no gradient is not recorded.

# %% start
import torch

image = torch.ones(2, 2)
first = torch.tensor(2.0, requires_grad=True)
second = first.detach().requires_grad_()
third = torch.tensor(3.0, requires_grad=True) * 1
fourth = torch.tensor(1).to(torch.float32).requires_grad_()
score = image * first + second * third + fourth
loss = score.mean()
loss.backward()

# %% wrong: first; second; third; fourth
# hint: `third` is the result of a multiplication by a tensor that requires a gradient, so it is not a leaf. And `image` is missing.

# %% wrong: first; second; fourth
# hint: These three will have a gradient. But `image` is a leaf as well, although it requires none: no operation computed it.

# %% wrong: image; first; fourth
# hint: `second` was detached from `first`, so no node leads to it, and it is a leaf.

# %% wrong: image; first; second
# hint: `fourth` was converted before it required a gradient. So the conversion was not recorded, and it is a leaf.
