"""Without `no_grad`, PyTorch refuses to update a leaf in place."""
# covers: autograd.no-grad

import torch

w = torch.tensor([1.0], requires_grad=True)
(w * 2).backward()

try:
    w -= 0.1 * w.grad
except RuntimeError as error:
    print(error)
#> a leaf Variable that requires grad is being used in an in-place operation.

with torch.no_grad():
    w -= 0.1 * w.grad
print(w, w.is_leaf)
#> tensor([0.8000], requires_grad=True) True
