"""Two backward passes without `zero_grad` between them."""
# covers: autograd.grad-accumulates

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)

((w * x - y) ** 2).mean().backward()
print(w.grad)
#> tensor(-0.8750)

((w * x - y) ** 2).mean().backward()
print(w.grad)
#> tensor(-1.7500)
