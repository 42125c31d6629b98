"""`hsplit`, `vsplit` and `dsplit` with a count require equal parts."""

import torch

print(torch.tensor_split(torch.arange(7), 3))
#> (tensor([0, 1, 2]), tensor([3, 4]), tensor([5, 6]))
torch.hsplit(torch.arange(7), 3)
#! RuntimeError: torch.hsplit attempted to split along dimension 0, but the size of the dimension 7 is not divisible by the split_size 3!
