"""Sums, means and maxima compute few numbers from many."""
# covers: tensor-ops.functions-groups

import torch

t = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]])
print(t.sum(), t.mean(), t.max())
#> tensor(24.) tensor(4.) tensor(9.)
print(t.sum(0))
#> tensor([ 5.,  7., 12.])
print(t.mean(1, keepdim=True))
#> tensor([[2.],
#>         [6.]])
values, places = t.max(1)
print(values, places)
#> tensor([3., 9.]) tensor([2, 2])
