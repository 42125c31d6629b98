"""The Jacobian of an element-wise function is zero outside its diagonal."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
y = x.exp()

rows = []
for k in range(3):
    pick = torch.zeros(3)
    pick[k] = 1.0
    (row,) = torch.autograd.grad(y, x, pick, retain_graph=True)
    rows.append(row)
print(torch.stack(rows))
#> tensor([[1.0000, 0.0000, 0.0000],
#>         [0.0000, 2.7183, 0.0000],
#>         [0.0000, 0.0000, 7.3891]])
