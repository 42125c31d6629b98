"""For an input that the result doesn't depend on, `grad` raises an error or returns `None` or zeros."""
# covers: autograd.grad.signature

import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
stranger = torch.tensor([1.0, 1.0], requires_grad=True)

try:
    torch.autograd.grad((x**2).sum(), [x, stranger])
except RuntimeError as error:
    print(error)
#> The differentiated Tensor at index 1 appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.

print(torch.autograd.grad((x**2).sum(), [x, stranger], allow_unused=True))
#> (tensor([4., 6.]), None)

print(torch.autograd.grad((x**2).sum(), [x, stranger], materialize_grads=True))
#> (tensor([4., 6.]), tensor([0., 0.]))

torch.autograd.grad((x**2).sum(), [x, stranger], allow_unused=False, materialize_grads=True)
#! ValueError: Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False.
