"""Each line is computed when it runs, so its result can be printed."""
# covers: graph.eager graph.memory-friendly

import torch

w = torch.tensor([1.0, -2.0], requires_grad=True)
h = w * 3
print(h.tolist())
#> [3.0, -6.0]
h = torch.relu(h)
print(h.tolist())
#> [3.0, 0.0]
loss = h.sum()
print(loss.item())
#> 3.0
