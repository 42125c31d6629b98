"""`randn_like` is `randn` with the shape and dtype of a template."""
# covers: tensor-random.randn-like

import torch

torch.manual_seed(0)
print(torch.randn_like(torch.zeros(2, 3)))
#> tensor([[ 1.5410, -0.2934, -2.1788],
#>         [ 0.5684, -1.0845, -1.3986]])
