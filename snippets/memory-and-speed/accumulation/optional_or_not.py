"""The division is no matter of taste: without it every step is k times as long."""
# covers: memory.grad-accum.snippet

import torch

w = torch.tensor(1.0, requires_grad=True)
for k in (1, 2, 4):
    w.grad = None
    for _ in range(k):
        (w * 3).backward()
    print(k, w.grad)
#> 1 tensor(3.)
#> 2 tensor(6.)
#> 4 tensor(12.)
