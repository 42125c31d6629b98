"""The loop does not know whether it converges."""
# covers: train.iteration-three-steps

import torch

w = torch.tensor([1.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.5)
for iteration in range(5):
    optimizer.zero_grad()
    loss = (w**2).sum()
    loss.backward()
    optimizer.step()
    print(loss.item())
#> 1.0
#> 4.0
#> 16.0
#> 64.0
#> 256.0
