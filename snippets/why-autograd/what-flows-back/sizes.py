"""A gradient has the shape of its tensor, and no Jacobian is built."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.ones(200, 300, requires_grad=True)
h = x.exp()
loss = h.sum()

h.register_hook(lambda grad: print("into exp:", tuple(grad.shape), grad.numel()))
x.register_hook(lambda grad: print("out of exp:", tuple(grad.shape), grad.numel()))
loss.backward()
#> into exp: (200, 300) 60000
#> out of exp: (200, 300) 60000

print("entries of the Jacobian:", h.numel() * x.numel())
#> entries of the Jacobian: 3600000000
