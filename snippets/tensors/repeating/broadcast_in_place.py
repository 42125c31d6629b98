"""In place, only the right operand may be expanded."""
# covers: tensor-ops.broadcast

import torch

t = torch.zeros(3, 4)
t += torch.ones(1, 4)
print(t)
#> tensor([[1., 1., 1., 1.],
#>         [1., 1., 1., 1.],
#>         [1., 1., 1., 1.]])

t = torch.zeros(3, 1)
t += torch.ones(1, 4)
#! RuntimeError: output with shape [3, 1] doesn't match the broadcast shape [3, 4]
