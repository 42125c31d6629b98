"""Inside `no_grad`, `w = w - ...` computes a new tensor that does not require a gradient."""

import torch

w = torch.tensor([1.0], requires_grad=True)
(w * 2).backward()

with torch.no_grad():
    w = w - 0.1 * w.grad
print(w.requires_grad, w.grad)
#> False None

(w * 2).backward()
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
