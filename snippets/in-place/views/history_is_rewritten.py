"""After a write to a view the base has a new history."""
# covers: inplace.error.leaf-moved

import torch

x = torch.ones(4, requires_grad=True)
base = x * 1
view = base[:2]
print(type(base.grad_fn).__name__, type(view.grad_fn).__name__)
#> MulBackward0 SliceBackward0

view.mul_(10)
print(base)
#> tensor([10., 10.,  1.,  1.], grad_fn=<CopySlices>)
print(type(base.grad_fn).__name__, type(view.grad_fn).__name__)
#> CopySlices AsStridedBackward0

base.sum().backward()
print(x.grad)
#> tensor([10., 10.,  1.,  1.])
