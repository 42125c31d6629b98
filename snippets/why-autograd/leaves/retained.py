"""The gradient of a result, retained because `retain_grad` was called before `backward`."""
# covers: autograd.retain-grad

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(1.0, requires_grad=True)

score = w * x
score.retain_grad()
((score - y) ** 2).mean().backward()
print(score.grad)
#> tensor([ 0.0000,  0.1250, -0.1250,  0.0000])
