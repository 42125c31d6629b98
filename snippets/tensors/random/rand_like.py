"""`rand_like` takes shape and dtype from its template."""
# covers: tensor-random.rand-like

import torch

torch.manual_seed(0)
template = torch.zeros(2, 2, dtype=torch.float64)
print(torch.rand_like(template))
#> tensor([[0.9701, 0.7078],
#>         [0.4594, 0.9207]], dtype=torch.float64)
