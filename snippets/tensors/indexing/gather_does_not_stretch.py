"""`gather` does not broadcast."""

import torch

t = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(torch.gather(t, 1, torch.tensor([[0]])))
#> tensor([[1]])

for index in [0, 1], [[0], [1], [2]], [[3]]:
    try:
        torch.gather(t, 1, torch.tensor(index))
    except RuntimeError as error:
        print(error)
#> Index tensor must have the same number of dimensions as input tensor
#> Size does not match at dimension 0 expected index [3, 1] to be no larger than self [2, 3] apart from dimension 1
#> index 3 is out of bounds for dimension 1 with size 3
