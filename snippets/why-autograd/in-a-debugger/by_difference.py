"""Finite differences agree with all three gradients."""
# covers: graph.example.grads-28-8-10

import torch


def loss(w1, w2, w3):
    stem = torch.ones(2, 2, dtype=torch.float64) * w1
    return ((stem + w2) * (stem * w3)).mean()


weights = [2.0, 3.0, 4.0]
h = 1e-6
for k in range(3):
    up, down = list(weights), list(weights)
    up[k] += h
    down[k] -= h
    slope = (loss(*up) - loss(*down)) / (2 * h)
    print(round(slope.item(), 4))
#> 28.0
#> 8.0
#> 10.0
