"""`empty_like` takes shape, dtype and strides from its template but not its values."""
# covers: tensor-create.empty-like

import torch

template = torch.zeros(3, 2, dtype=torch.float64).t()
e = torch.empty_like(template)
print(e.shape, e.dtype, e.stride())
#> torch.Size([2, 3]) torch.float64 (1, 2)
e = torch.empty_like(template, memory_format=torch.contiguous_format)
print(e.stride())
#> (3, 1)
