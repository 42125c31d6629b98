"""`allow_mutation_on_saved_tensors` copies a saved tensor before it is overwritten."""
# covers: inplace.why-not-supported

import torch
from torch.autograd.graph import allow_mutation_on_saved_tensors

x = torch.tensor([3.0], requires_grad=True)
with allow_mutation_on_saved_tensors():
    h = x * 2
    y = h * h
    h.zero_()
    y.backward()
print(x.grad)
#> tensor([24.])
