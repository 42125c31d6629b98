"""`full_like` takes the dtype of its template and cuts off a fraction without a warning."""
# covers: tensor-create.full-like

import torch

template = torch.tensor([[1, 2], [3, 4]])
print(torch.full_like(template, 9))
#> tensor([[9, 9],
#>         [9, 9]])
print(torch.full_like(template, 2.7))
#> tensor([[2, 2],
#>         [2, 2]])
print(torch.full_like(template, 2.7, dtype=torch.float32))
#> tensor([[2.7000, 2.7000],
#>         [2.7000, 2.7000]])
