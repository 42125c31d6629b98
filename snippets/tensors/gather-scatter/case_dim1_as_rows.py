"""Read as rows, the same index would ask for a fifth row that is not there."""

import torch

src = torch.arange(1, 11).reshape(2, 5)
index = torch.tensor([[0, 2, 4], [1, 2, 3]])
torch.zeros(3, 5, dtype=src.dtype).scatter_(0, index, src)
#! RuntimeError: index 4 is out of bounds for dimension 0 with size 3
