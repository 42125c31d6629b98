"""`chunk` may return fewer parts than you asked for, but `tensor_split` returns the exact number."""
# covers: tensor-ops.table.chunk

import torch

t = torch.arange(13)
print(len(t.chunk(6)), len(t.tensor_split(6)))
#> 5 6
print([len(part) for part in t.chunk(6)])
#> [3, 3, 3, 3, 1]
print([len(part) for part in t.tensor_split(6)])
#> [3, 2, 2, 2, 2, 2]
