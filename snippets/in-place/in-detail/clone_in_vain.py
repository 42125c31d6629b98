"""A copy that comes too late: the write still goes to the tensor that `sigmoid` saved."""
# covers: inplace.error.modified

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
w = torch.tensor(1.0, requires_grad=True)

p = torch.sigmoid(w * x)
backup = p.clone()  # meant as a precaution
p[1] = 0.5
p.sum().backward()
#! RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: ...
