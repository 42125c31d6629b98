"""`full` fills a tensor with a constant, which decides the dtype."""
# covers: tensor-create.full

import torch

print(torch.full((2, 3), 3.14))
#> tensor([[3.1400, 3.1400, 3.1400],
#>         [3.1400, 3.1400, 3.1400]])
print(torch.full((2,), 7))
#> tensor([7, 7])
print(torch.full((2,), True))
#> tensor([True, True])
