"""Which of these tensors are leaves?"""
# exercise: point
# covers: autograd.leaf.rule autograd.leaf.two-origins
# about: why-autograd/leaves.md#who-was-asked
# at: tensors
# answer: where it.is_leaf
# hint: Go through them line by line: does a node lead to this tensor?
# hint: A tensor of plain data needs no node either.
# hint: `detach` and a conversion of plain data leave no record behind.

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
# hint: They all look like weights. One was asked first and computed with afterwards. And what about the data?

# %% wrong: first; second; fourth
# hint: These three will get a gradient. But a leaf needn't want one: which tensor was made by no operation either?

# %% wrong: image; first; fourth
# hint: `second` was taken from `first`. Does anything lead back there?

# %% wrong: image; first; second
# hint: `fourth` was converted, but at that moment nobody had asked for a gradient. Was the conversion recorded?
