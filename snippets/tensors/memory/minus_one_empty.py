"""In a tensor without elements, -1 can be ambiguous."""

import torch

t = torch.empty(0, 3)
print(t.view(-1, 3).shape)
#> torch.Size([0, 3])
t.view(-1, 0)
#! RuntimeError: cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified dimension size -1 can be any value and is ambiguous
