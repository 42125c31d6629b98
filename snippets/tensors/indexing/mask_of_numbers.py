"""`masked_select` refuses a mask of zeros and ones."""
# covers: tensor-ops.table.masked_select

import torch

t = torch.tensor([10, 20, 30])
for dtype in torch.int64, torch.uint8:
    try:
        torch.masked_select(t, torch.tensor([1, 0, 1], dtype=dtype))
    except RuntimeError as error:
        print(error)
#> masked_select: expected BoolTensor for mask
#> masked_select: expected BoolTensor for mask

print(torch.masked_select(t, torch.tensor([1, 0, 1]).bool()))
#> tensor([10, 30])
print(t[torch.tensor([1, 0, 1])])
#> tensor([20, 10, 20])
