"""`zeros_like` copies shape, dtype and layout in memory; `ones_like` does the same."""
# covers: tensor-create.zeros-like

import torch

t = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(torch.zeros_like(t))
#> tensor([[0, 0, 0],
#>         [0, 0, 0]])
print(torch.ones_like(t).dtype)
#> torch.int64
print(torch.zeros_like(t.t()).stride())
#> (1, 3)
print(torch.zeros_like(t, dtype=torch.float32))
#> tensor([[0., 0., 0.],
#>         [0., 0., 0.]])
