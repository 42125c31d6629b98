"""A write to a view invalidates the saved base."""
# covers: inplace.version-counter inplace.error.modified

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
h = x * 1
y = (h * h).sum()
h[:1].zero_()
y.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...
