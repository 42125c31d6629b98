"""If a leaf is frozen after the forward pass, `backward` runs but stores no gradient."""
# covers: autograd.requires-grad-propagation

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (w * w).sum()
w.requires_grad_(False)

loss.backward()
print(w.grad)
#> None
