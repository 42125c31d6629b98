"""`scatter_` refuses an index or dtype that does not match."""
# covers: scatter.formula

import torch

t = torch.zeros(3, 5)
src = torch.ones(2, 5)
refused = [
    ([[0], [1], [2]], src),
    ([[0, 1, 3]], src),
    ([0, 1], src),
    ([[0, 1]], src.to(torch.int64)),
]
for index, values in refused:
    try:
        t.scatter_(0, torch.tensor(index), values)
    except RuntimeError as error:
        print(error)
#> Expected index [3, 1] to be no larger than self [3, 5] apart from dimension 0 and to be no larger size than src [2, 5]
#> index 3 is out of bounds for dimension 0 with size 3
#> Index tensor must have the same number of dimensions as self tensor
#> scatter(): Expected self.dtype to be equal to src.dtype
