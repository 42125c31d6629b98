"""The first step of Adam has the length `lr` for any size of the gradient."""
# covers: train.loss-optimizer

import torch

for scale in 1e-3, 1.0, 1e3:
    w = torch.tensor([0.0], requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.0001)
    (scale * w).sum().backward()
    optimizer.step()
    print(scale, f"{w.item():.6f}")
#> 0.001 -0.000100
#> 1.0 -0.000100
#> 1000.0 -0.000100

w = torch.tensor([0.0], requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.0001)
(1e-8 * w).sum().backward()
optimizer.step()
print(f"{w.item():.6f}")
#> -0.000050
