"""A loop that clears at the end of a step uses an old gradient in its first step."""
# covers: train.loop-snippet

import torch


def train(clear_first):
    w = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    (100 * w).backward()  # somebody looked at a gradient before the loop
    for _ in range(3):
        if clear_first:
            optimizer.zero_grad()
        (w**2).backward()
        optimizer.step()
        if not clear_first:
            optimizer.zero_grad()
    return round(w.item(), 3)


print(train(clear_first=True))
#> 0.512
print(train(clear_first=False))
#> -5.888
