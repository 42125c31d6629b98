"""A write to a view made by `split` raises an error."""
# covers: inplace.why-not-supported

import torch

h = torch.ones(4, requires_grad=True) * 1
first, second = h.split(2)
first.mul_(2)
#! RuntimeError: Output 0 of Split is a view and is being modified inplace. This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.
