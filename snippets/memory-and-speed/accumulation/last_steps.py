"""When the number of batches is not a multiple of k, the last gradients are never used."""
# covers: memory.grad-accum.snippet

import torch

w = torch.tensor(0.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1.0)
k = 2
for i in range(5):
    w.backward()
    if (i + 1) % k == 0:
        optimizer.step()
        optimizer.zero_grad()
print(w, w.grad)
#> tensor(-4., requires_grad=True) tensor(1.)
