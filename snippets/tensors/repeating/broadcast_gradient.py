"""The gradient of an expanded operand is summed to the shape of the operand."""

import torch

column = torch.zeros(3, 1, requires_grad=True)
row = torch.zeros(4, requires_grad=True)
(column + row).sum().backward()
print(column.grad)
#> tensor([[4.],
#>         [4.],
#>         [4.]])
print(row.grad)
#> tensor([3., 3., 3., 3.])
