"""A view has its own shape and shares memory and version with its base."""
# covers: inplace.version-counter

import torch

base = torch.zeros(4)
view = base[1:3]
print(view._base is base, view.data_ptr() == base[1].data_ptr())
#> True True

view += 5
print(base)
#> tensor([0., 5., 5., 0.])
print(view._version, base._version)
#> 1 1
