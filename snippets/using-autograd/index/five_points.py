"""These are five facts to know before you use autograd."""
# covers: autograd.tips-list

import torch

w = torch.tensor([1.0], requires_grad=True)

# 1. Gradients are added up, never cleared for you.
(2 * w).backward()
(2 * w).backward()
print(w.grad)
#> tensor([4.])

# 2. What depends on a tensor that requires grad requires grad too.
print((w + 1).requires_grad)
#> True

# 3. A leaf that requires grad can't be changed in place while autograd records.
try:
    w.add_(1)
except RuntimeError as error:
    print(error)
#> a leaf Variable that requires grad is being used in an in-place operation.

# 4. detach gives the same numbers, outside the graph.
print(w.detach().requires_grad, w.detach().data_ptr() == w.data_ptr())
#> False True

# 5. Inside no_grad nothing is recorded, and the leaf may be changed.
with torch.no_grad():
    w.add_(1)
print(w)
#> tensor([2.], requires_grad=True)
