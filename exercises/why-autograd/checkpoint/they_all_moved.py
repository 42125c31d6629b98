"""Three of these pictures were set aside for a test, never to be touched. Which line touches them all the same?"""
# exercise: point
# covers: tensor-ops.indexing
# about: tensors/first-tensors.md
# at: line
# answer: changes aside.sum().item()
# hint: Which of these tensors read the same strip of numbers?
# hint: `a = a - b` makes a new tensor, and `a -= b` writes into the old one.

# %% start
import torch

pictures = torch.arange(24.0).reshape(6, 4)
aside = pictures[3:]
train = pictures[:3].clone()
train -= train.mean()
pictures = pictures / pictures.max()
first = aside[0].clone()
first.zero_()
whole = aside.t()
whole -= whole.mean()
print(aside.sum())

# %% wrong: train -= train.mean()
# hint: `train` was cloned. Whose strip does this line write into?

# %% wrong: pictures = pictures / pictures.max()
# hint: A division makes a new tensor, and `pictures` is now its name. What has become of the old strip?

# %% wrong: first.zero_()
# hint: `first` is a row of `aside`. Or a copy of one?

# %% wrong: whole = aside.t()
# hint: This line gives a second way to read the strip. It writes nothing.
