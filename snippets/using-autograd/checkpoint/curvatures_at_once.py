"""One pass with a vector of ones, for the curvature of each weight."""

import torch


def curvatures(loss, w):
    (slopes,) = torch.autograd.grad(loss, w, create_graph=True)
    (result,) = torch.autograd.grad(slopes, w, grad_outputs=torch.ones_like(w))
    return result


w = torch.tensor([3.0, 5.0], requires_grad=True)
print(curvatures(w[0] ** 2 + w[1] ** 2, w))
#> tensor([2., 2.])
print(curvatures(w[0] ** 2 + w[1] ** 2 + w[0] * w[1], w))
#> tensor([3., 3.])
