"""`no_grad()` stops the recording, but writes are still counted."""
# covers: autograd.no-grad inplace.leaf-modify.no-grad

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w * w).sum()
with torch.no_grad():
    w += 1
print(w._version)
#> 1
loss.backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...
