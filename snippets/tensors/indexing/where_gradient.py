"""`where` computes both branches, so the gradient can be `nan`."""

import torch

x = torch.tensor([0.0, 4.0], requires_grad=True)
y = torch.where(x > 0, torch.sqrt(x), torch.zeros(2))
print(y)
#> tensor([0., 2.], grad_fn=<WhereBackward0>)
(grad,) = torch.autograd.grad(y.sum(), x)
print(grad)
#> tensor([   nan, 0.2500])

safe = torch.where(x > 0, x, torch.ones(2))
y = torch.where(x > 0, torch.sqrt(safe), torch.zeros(2))
(grad,) = torch.autograd.grad(y.sum(), x)
print(grad)
#> tensor([0.0000, 0.2500])
