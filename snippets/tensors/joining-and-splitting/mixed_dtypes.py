"""`cat` converts integers to floats when it joins them with floats."""

import torch

print(torch.cat((torch.tensor([1, 2]), torch.tensor([0.5]))))
#> tensor([1.0000, 2.0000, 0.5000])
