"""Broadcasting copies nothing, because an expanded axis has stride 0."""
# covers: tensor-ops.broadcast

import torch

row = torch.tensor([1.0, 2.0, 3.0, 4.0])
column = torch.zeros(1000, 1)
a, b = torch.broadcast_tensors(column, row)
print(a.shape, b.shape)
#> torch.Size([1000, 4]) torch.Size([1000, 4])
print(a.stride(), b.stride())
#> (1, 0) (0, 1)
print(b.untyped_storage().nbytes())
#> 16
