"""`randint_like` takes the dtype of its template, so it can return integers as floats."""
# covers: tensor-random.randint-like

import torch

torch.manual_seed(0)
print(torch.randint(3, 10, (2, 2)).dtype)
#> torch.int64
drawn = torch.randint_like(torch.zeros(2, 2), 3, 10)
print(drawn.dtype)
#> torch.float32
print(drawn)
#> tensor([[4., 5.],
#>         [9., 6.]])
print(torch.randint_like(torch.zeros(2, 2), 10, dtype=torch.int64))
#> tensor([[7, 3],
#>         [1, 6]])
