"""The same line is recorded for a copy, which is a result, while the original remains a leaf."""
# covers: inplace.leaf-forbidden inplace.leaf-stricter

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
h = w.clone()
h.mul_(3)
print(h)
#> tensor([3., 6.], grad_fn=<MulBackward0>)
print(h.is_leaf, w.is_leaf)
#> False True

h.sum().backward()
print(w.grad)
#> tensor([3., 3.])
