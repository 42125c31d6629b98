"""Without `requires_grad` every tensor counts as a leaf, computed or not."""
# covers: autograd.leaf.no-grad-convention autograd.leaf.two-origins

import numpy as np

import torch

x = torch.zeros(2)
y = torch.from_numpy(np.array([1.0, 2.0], dtype=np.float32))
z = x + y
print(x.is_leaf, y.is_leaf, z.is_leaf)
#> True True True
print(x.grad_fn, y.grad_fn, z.grad_fn)
#> None None None

z.sum().backward()
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
