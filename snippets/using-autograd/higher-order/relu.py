"""PyTorch computes zero for the second derivative of `relu`, and not for that of a smooth function."""

import torch

x = torch.tensor([-1.0, 2.0], requires_grad=True)

(first,) = torch.autograd.grad(torch.relu(x).sum(), x, create_graph=True)
print(first)
#> tensor([0., 1.], grad_fn=<ThresholdBackwardBackward0>)
print(torch.autograd.grad(first.sum(), x))
#> (tensor([0., 0.]),)

(first,) = torch.autograd.grad(torch.nn.functional.softplus(x).sum(), x, create_graph=True)
print(first)
#> tensor([0.2689, 0.8808], grad_fn=<SoftplusBackwardBackward0>)
print(torch.autograd.grad(first.sum(), x))
#> (tensor([0.1966, 0.1050]),)
