"""`empty` reserves memory and writes nothing to it."""
# covers: tensor-create.empty

import torch

t = torch.empty(2, 3)
print(t.shape, t.dtype)
#> torch.Size([2, 3]) torch.float32
t.copy_(torch.arange(6).reshape(2, 3))
print(t)
#> tensor([[0., 1., 2.],
#>         [3., 4., 5.]])
