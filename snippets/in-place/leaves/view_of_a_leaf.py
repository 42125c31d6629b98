"""A write to a view of a leaf is refused with a different message."""
# covers: inplace.error.leaf-moved inplace.error.leaf-used

import torch

a = torch.tensor([10.0, 5.0, 2.0, 3.0], requires_grad=True)
for view in (a.view(2, 2), a[1:]):
    try:
        view.zero_()
    except RuntimeError as error:
        print(error)
#> a view of a leaf Variable that requires grad is being used in an in-place operation.
#> a view of a leaf Variable that requires grad is being used in an in-place operation.
print(a)
#> tensor([10.,  5.,  2.,  3.], requires_grad=True)

a[0] = 0
#! RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation.
