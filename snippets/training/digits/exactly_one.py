"""Two hidden units with a ReLU recognize that exactly one of two pixels has ink."""

import torch

pixels = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
ink = pixels.sum(dim=1)

print(torch.relu(ink) - 2 * torch.relu(ink - 1))
#> tensor([0., 1., 1., 0.])

print(ink - 2 * (ink - 1))
#> tensor([2., 1., 1., 0.])
