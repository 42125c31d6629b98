"""Without the division the gradient is k times as long, and so is a step of SGD; Adam hides it."""
# covers: memory.grad-accum.snippet

import torch


def step(optimizer_class, k):
    w = torch.tensor(1.0, requires_grad=True)
    optimizer = optimizer_class([w], lr=0.1)
    for _ in range(k):
        (w * 3).backward()
    optimizer.step()
    return f"{optimizer_class.__name__}: gradient {w.grad.item()}, step {1 - w.item():.1f}"


for k in (1, 2, 4):
    print(k, step(torch.optim.SGD, k))
    print(k, step(torch.optim.Adam, k))
#> 1 SGD: gradient 3.0, step 0.3
#> 1 Adam: gradient 3.0, step 0.1
#> 2 SGD: gradient 6.0, step 0.6
#> 2 Adam: gradient 6.0, step 0.1
#> 4 SGD: gradient 12.0, step 1.2
#> 4 Adam: gradient 12.0, step 0.1
