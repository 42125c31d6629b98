"""Nodes that don't lead to a listed tensor are not run."""

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
left = x.exp()
right = w.exp()
left.register_hook(lambda grad: print("left branch"))
right.register_hook(lambda grad: print("right branch"))

(left * right).backward(retain_graph=True)
#> right branch
#> left branch
y = left * right
y.backward(inputs=[w])
#> right branch
