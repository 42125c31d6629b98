"""If a choice is an operation, both branches are in the graph for every number."""
# covers: graph.dynamic-criteria graph.dynamic-vs-static

import torch


def model(x):
    doubled = x * 2
    turned = -x
    return torch.where(x > 0, doubled, turned)


for number in (3.0, -3.0):
    x = torch.tensor(number, requires_grad=True)
    y = model(x)
    y.backward()
    print(y.item(), x.grad.item())
#> 6.0 2.0
#> 3.0 -1.0
