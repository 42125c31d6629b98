"""A recorded write to a view that was made without recording raises an error."""
# covers: inplace.why-not-supported

import torch

h = torch.ones(4, requires_grad=True) * 1
with torch.no_grad():
    view = h[:2]
view.mul_(2)
#! RuntimeError: A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).
