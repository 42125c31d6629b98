"""An assignment to all elements of a leaf raises an error at once, before any backward pass."""
# covers: inplace.error.leaf-moved

import torch

a = torch.tensor([10.0, 5.0, 2.0, 3.0], requires_grad=True)
print(a, a.is_leaf)
#> tensor([10.,  5.,  2.,  3.], requires_grad=True) True
try:
    a[:] = 0
except RuntimeError as error:
    print(error)
#> a leaf Variable that requires grad is being used in an in-place operation.
print(a, a.is_leaf)
#> tensor([10.,  5.,  2.,  3.], requires_grad=True) True

a.sum().backward()
print(a.grad)
#> tensor([1., 1., 1., 1.])
