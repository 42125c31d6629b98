"""`normal` broadcasts `mean` and `std`."""

import torch

torch.manual_seed(0)
print(torch.normal(torch.zeros(2, 3), torch.tensor([0.0, 1.0, 10.0])))
#> tensor([[  0.0000,  -0.2934, -21.7879],
#>         [  0.0000,  -1.0845, -13.9860]])
torch.normal(torch.zeros(2, 2), torch.ones(4))
#! RuntimeError: The size of tensor a (2) must match the size of tensor b (4) ...
