"""Gradient accumulation: two halves of the pictures give the gradient of the whole."""
# covers: autograd.grad-accumulates memory.grad-accum.formula

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)

((w * x - y) ** 2).mean().backward()
print(w.grad)
#> tensor(-0.8750)

w.grad = None
for half in (slice(0, 2), slice(2, 4)):
    loss = ((w * x[half] - y[half]) ** 2).mean() / 2
    loss.backward()
print(w.grad)
#> tensor(-0.8750)
