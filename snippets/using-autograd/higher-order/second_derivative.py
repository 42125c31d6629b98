"""`create_graph=True` records the backward pass, so that it can be differentiated."""
# covers: autograd.grad.second-derivative

import torch

x = torch.tensor([3.0], requires_grad=True)
y = torch.pow(x, 2)

first = torch.autograd.grad(y, x, create_graph=True)
print(first)
#> (tensor([6.], grad_fn=<MulBackward0>),)

second = torch.autograd.grad(first[0], x)
print(second)
#> (tensor([2.]),)
