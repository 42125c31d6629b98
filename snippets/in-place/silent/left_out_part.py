"""4. A factor that is computed inside `no_grad` counts as a constant."""
# covers: inplace.no-error-means-right autograd.no-grad

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)

with torch.no_grad():
    weight = x / x.sum()
(weight * x).sum().backward()
print(x.grad)
#> tensor([0.1667, 0.3333, 0.5000])

x.grad = None
weight = x / x.sum()
(weight * x).sum().backward()
print(x.grad)  # right
#> tensor([-0.0556,  0.2778,  0.6111])
