"""A write to the base gives a new history to a view that was made before."""
# covers: inplace.why-not-supported

import torch

x = torch.ones(4, requires_grad=True)
base = x * 1
view = base[:2]
base.mul_(3)
print(view)
#> tensor([3., 3.], grad_fn=<AsStridedBackward0>)

view.sum().backward()
print(x.grad)
#> tensor([3., 3., 0., 0.])
