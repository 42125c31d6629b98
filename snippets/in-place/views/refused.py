"""Three kinds of views that may not be written to."""
# covers: inplace.why-not-supported

import torch

h = torch.ones(4, requires_grad=True) * 1

first, second = h.split(2)
first.mul_(2)
#! RuntimeError: Output 0 of Split is a view and is being modified inplace. This view is the output of a function that returns multiple views. Such functions do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.

with torch.no_grad():
    view = h[:2]
view.mul_(2)
#! RuntimeError: A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).

spread = torch.ones(1).expand(3)
spread.add_(1)
#! RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.
