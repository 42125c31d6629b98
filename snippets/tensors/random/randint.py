"""`randint` draws integers from low up to, but not including, high."""
# covers: tensor-random.randint

import torch

torch.manual_seed(0)
print(torch.randint(3, 10, (2, 2)))
#> tensor([[7, 6],
#>         [3, 5]])
print(torch.randint(2, (10,)))
#> tensor([1, 1, 1, 1, 1, 1, 1, 0, 0, 1])
print(torch.randint(3, 10, (1000,)).unique())
#> tensor([3, 4, 5, 6, 7, 8, 9])
