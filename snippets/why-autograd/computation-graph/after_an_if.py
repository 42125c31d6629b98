"""Only the operations that ran are in the graph."""
# covers: graph.forward-is-dynamic-graph graph.eager graph.dynamic-criteria

import torch


def penalty(w):
    cost = w * 3
    if cost > 1:
        cost = cost**2
    return cost


for start in (0.2, 2.0):
    w = torch.tensor(start, requires_grad=True)
    cost = penalty(w)
    cost.backward()
    print(start, type(cost.grad_fn).__name__, w.grad)
#> 0.2 MulBackward0 tensor(3.)
#> 2.0 PowBackward0 tensor(36.)
