"""A slice replaces the view from `split`, and a clone replaces the expanded view."""
# covers: inplace.why-not-supported

import torch

x = torch.ones(4, requires_grad=True)
h = x * 1
h[:2].mul_(2)
h.sum().backward()
print(x.grad)
#> tensor([2., 2., 1., 1.])

# region: expanded
shown = torch.ones(1).expand(3)
spread = shown.clone()
# endregion
spread[0].add_(1)
print(spread)
#> tensor([2., 1., 1.])
