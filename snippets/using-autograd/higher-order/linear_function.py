"""The derivative of a linear function doesn't depend on x."""

import torch

x = torch.tensor([2.0], requires_grad=True)

(first,) = torch.autograd.grad(3 * x, x, create_graph=True)
print(first, first.requires_grad)
#> tensor([3.]) False

for arguments in ({}, {"materialize_grads": True}):
    try:
        torch.autograd.grad(first, x, **arguments)
    except RuntimeError as error:
        print(error)
#> element 0 of tensors does not require grad and does not have a grad_fn
#> element 0 of tensors does not require grad and does not have a grad_fn

# Zero, when asked for in this way: as a part of something that does depend on x.
print(torch.autograd.grad(first + 0 * x, x))
#> (tensor([0.]),)
