"""Compare storages to find out whether two tensors share memory."""
# covers: tensor-ops.table.transpose tensor-ops.table.reshape tensor-ops.table.index_select

import torch

t = torch.arange(6).view(2, 3)
turned = t.t()
right = t[:, 1:]
picked = t.index_select(1, torch.tensor([1, 2]))
for result in turned, right, picked:
    print(result.untyped_storage().data_ptr() == t.untyped_storage().data_ptr())
#> True
#> True
#> False
print(torch.equal(right, picked))
#> True
