"""First scale, then ask."""
# covers: autograd.leaf.rule autograd.leaf.grad-kept

import torch

torch.manual_seed(0)
picture = torch.ones(64)
w = (torch.randn(64) / 8).requires_grad_()

score = (w * picture).sum()
score.backward()
print(w.is_leaf, w.grad.shape)
#> True torch.Size([64])
