"""`index_select` does not count from the end, and wants a vector of indices."""
# covers: tensor-ops.table.index_select

import torch

t = torch.tensor([[1, 2], [3, 4]])
torch.index_select(t, 0, torch.tensor([-1]))
#! IndexError: index out of range in self
torch.index_select(t, 0, torch.tensor([[0, 1]]))
#! IndexError: index_select(): Index is supposed to be a vector
print(t[torch.tensor([-1])])
#> tensor([[3, 4]])
