"""A clone has its own version counter; a view and a detached tensor share that of the original."""
# covers: inplace.version-counter

import torch

a = torch.ones(3)
view, detached, clone, data = a[:2], a.detach(), a.clone(), a.data
a.add_(1)
print(a._version, view._version, detached._version, clone._version, data._version)
#> 1 1 1 0 0

view.add_(1)
detached.add_(1)
print(a._version)
#> 3

clone.add_(1)
data.add_(1)
print(a._version, a)
#> 3 tensor([5., 5., 4.])
