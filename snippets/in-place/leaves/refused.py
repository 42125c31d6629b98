"""An in-place operation on a leaf that requires a gradient raises an error at once."""
# covers: inplace.error.leaf-used inplace.leaf-stricter inplace.leaf-forbidden

import torch

a = torch.tensor([10.0, 5.0, 2.0, 3.0], requires_grad=True)
for write in (lambda: a.add_(10.0), lambda: a.zero_()):
    try:
        write()
    except RuntimeError as error:
        print(error)
#> a leaf Variable that requires grad is being used in an in-place operation.
#> a leaf Variable that requires grad is being used in an in-place operation.
print(a, a._version)
#> tensor([10.,  5.,  2.,  3.], requires_grad=True) 0

a += 10.0
#! RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.
