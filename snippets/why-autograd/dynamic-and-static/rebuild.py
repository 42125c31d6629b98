"""Each forward pass builds a new graph, and each graph has its own backward pass."""
# covers: graph.dynamic.rebuild graph.dynamic-vs-static

import torch

w = torch.tensor([3.0, 1.0], requires_grad=True)
for _ in range(2):
    (w * w).mean().backward()
    print(w.grad)
#> tensor([3., 1.])
#> tensor([6., 2.])
