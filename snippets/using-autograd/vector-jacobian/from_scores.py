"""The gradients of a weight matrix and of a bias, from the gradient of the scores."""
# covers: graph.xw-grad

import torch

torch.manual_seed(0)
X = torch.rand(5, 64)
W = torch.zeros(10, 64, requires_grad=True)
b = torch.zeros(10, requires_grad=True)

S = X @ W.T + b
S.retain_grad()
(S - 1).square().sum().backward()

print(S.grad.shape)
#> torch.Size([5, 10])
print(torch.allclose(W.grad, S.grad.T @ X))
#> True
print(b.grad)
#> tensor([-10., -10., -10., -10., -10., -10., -10., -10., -10., -10.])
