"""PyTorch computes the gradient without being given a formula for it."""
# covers: theory.autodiff-why theory.two-phases

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])

w = torch.tensor(0.0, requires_grad=True)
loss = ((w * x - y) ** 2).mean()
loss.backward()
print(w.grad)
#> tensor(-0.8750)
