"""Softmax of three scores, and of the same scores with 100 added to each."""

import torch
import torch.nn.functional as F

scores = torch.tensor([1.0, 2.0, 3.0])
print(F.softmax(scores, dim=0))
#> tensor([0.0900, 0.2447, 0.6652])
print(F.softmax(scores + 100, dim=0))
#> tensor([0.0900, 0.2447, 0.6652])

powers = (scores + 100).exp()
print(powers)
#> tensor([inf, inf, inf])
print(powers / powers.sum())
#> tensor([nan, nan, nan])
