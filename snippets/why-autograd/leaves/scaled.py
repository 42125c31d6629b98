"""Sixty-four random weights, divided by 8 before they are used."""
# covers: autograd.leaf.rule autograd.leaf.grad-kept

import torch

torch.manual_seed(0)
picture = torch.ones(64)
w = torch.randn(64, requires_grad=True) / 8

score = (w * picture).sum()
score.backward()
print(w.grad)
#> None
#~ UserWarning: The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. ...
