"""A column minus a row is a table."""
# covers: tensor-ops.broadcast

import torch

score = torch.tensor([[0.0], [0.25], [0.75], [1.0]], requires_grad=True)  # a column
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
print(score.shape, y.shape)
#> torch.Size([4, 1]) torch.Size([4])

table = score - y
print(table.shape)
#> torch.Size([4, 4])
print((table**2).mean())
#> tensor(0.4062, grad_fn=<MeanBackward0>)
print(((score[:, 0] - y) ** 2).mean())
#> tensor(0.0312, grad_fn=<MeanBackward0>)
