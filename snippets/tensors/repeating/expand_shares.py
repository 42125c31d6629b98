"""`expand` copies nothing, because the expanded axis has stride 0."""
# covers: tensor-ops.expand

import torch

column = torch.tensor([[1], [2], [3]])
wide = column.expand(3, 4)
print(wide.stride(), wide.data_ptr() == column.data_ptr())
#> (1, 0) True
column[0, 0] = 100
print(wide)
#> tensor([[100, 100, 100, 100],
#>         [  2,   2,   2,   2],
#>         [  3,   3,   3,   3]])
wide += 1
#! RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.
