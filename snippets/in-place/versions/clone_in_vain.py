"""The copy is made, and the write still goes to the tensor that `sigmoid` keeps."""
# covers: inplace.error.modified

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
w = torch.tensor(1.0, requires_grad=True)

p = torch.sigmoid(w * x)
before = p.clone()  # to be on the safe side
p[1] = 0.5
p.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...
