"""A column and a row make a table: each is stretched to the shape of both, and its gradient summed back."""
# covers: tensor-ops.broadcast

import torch

column = torch.tensor([[10.0], [20.0], [30.0]], requires_grad=True)
row = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
table = column - row
print(table)
#> tensor([[ 9.,  8.,  7.,  6.],
#>         [19., 18., 17., 16.],
#>         [29., 28., 27., 26.]], grad_fn=<SubBackward0>)
table.sum().backward()
print(column.grad)
#> tensor([[4.],
#>         [4.],
#>         [4.]])
print(row.grad)
#> tensor([-3., -3., -3., -3.])
