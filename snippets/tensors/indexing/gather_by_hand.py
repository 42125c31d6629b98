"""The rule of `gather`, written as loops."""
# covers: tensor-ops.table.gather

import torch

t = torch.tensor([[1, 2, 3], [4, 5, 6]])
index = torch.tensor([[0, 0], [2, 1]])
out = torch.zeros(2, 2, dtype=torch.int64)
for i in range(2):
    for j in range(2):
        out[i, j] = t[i, index[i, j]]
print(out)
#> tensor([[1, 1],
#>         [6, 5]])
print(torch.equal(out, torch.gather(t, 1, index)))
#> True
