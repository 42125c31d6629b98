"""`index_select` refuses negative positions and requires a vector."""
# covers: tensor-ops.table.index_select

import torch

t = torch.tensor([[1, 2], [3, 4]])
print(t[torch.tensor([-1])])
#> tensor([[3, 4]])

for index in [-1], [[0, 1]]:
    try:
        torch.index_select(t, 0, torch.tensor(index))
    except IndexError as error:
        print(error)
#> index out of range in self
#> index_select(): Index is supposed to be a vector
