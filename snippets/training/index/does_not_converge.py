"""A loop doesn't notice whether it converges."""
# covers: train.iteration-three-steps

import torch


def loss_of(w):
    return w**2


w = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.25)
visited = []
for iteration in range(5):
    visited.append(w.item())
    optimizer.zero_grad()
    loss = loss_of(w)
    loss.backward()
    optimizer.step()
    print(visited[-1], loss.item())
#> 1.0 1.0
#> -1.5 2.25
#> 2.25 5.0625
#> -3.375 11.390625
#> 5.0625 25.62890625
