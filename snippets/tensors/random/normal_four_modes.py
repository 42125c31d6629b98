"""`normal` takes `mean` and `std` each as a tensor or a number; two numbers need a size."""
# covers: tensor-random.normal.four-modes

import torch

torch.manual_seed(0)
print(torch.normal(torch.tensor([0.0, 100.0]), torch.tensor([1.0, 10.0])))
#> tensor([ 1.5410, 97.0657])
print(torch.normal(torch.tensor([0.0, 100.0]), 1.0))
#> tensor([ -2.1788, 100.5684])
print(torch.normal(0.0, torch.tensor([1.0, 10.0])))
#> tensor([ -1.0845, -13.9860])
print(torch.normal(0.0, 1.0, (2,)))
#> tensor([0.4033, 0.8380])
