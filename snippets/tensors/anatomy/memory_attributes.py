"""Strides, offset and storage say where the numbers of a tensor are."""
# covers: tensor-props.eight-attrs

import torch

t = torch.arange(6).reshape(2, 3)
row = t[1]
print(row)
#> tensor([3, 4, 5])
print(row.shape, row.stride(), row.storage_offset())
#> torch.Size([3]) (1,) 3
print(row.untyped_storage().nbytes(), t.untyped_storage().nbytes())
#> 48 48
print(row.element_size(), row.nbytes)
#> 8 24
