"""If `retain_graph` is left out, it takes the value of `create_graph`."""
# covers: autograd.backward.signature

import torch

x = torch.tensor([2.0], requires_grad=True)
y = x**3

print(torch.autograd.grad(y, x, create_graph=True))
#> (tensor([12.], grad_fn=<MulBackward0>),)
print(torch.autograd.grad(y, x))
#> (tensor([12.]),)
print(torch.autograd.grad(y, x))
#! RuntimeError: Trying to backward through the graph a second time ...
