"""`scatter_` refuses a label outside the classes."""

import torch

index = torch.tensor([[0], [255]])
torch.zeros(2, 3).scatter_(1, index, 1)
#! RuntimeError: index 255 is out of bounds for dimension 1 with size 3
