"""An ordinary `while` loop decides which nodes the graph has."""
# covers: graph.dynamic-criteria graph.forward-is-dynamic-graph

import torch


def length(node):
    count = 0
    while node is not None:
        count += 1
        node = node.next_functions[0][0] if node.next_functions else None
    return count


def halve_until_small(x):
    while x.item() > 1:
        x = x / 2
    return x


for start in (1.0, 3.0, 9.0):
    w = torch.tensor(start, requires_grad=True)
    y = halve_until_small(w)
    nodes = length(y.grad_fn) if y.grad_fn else 0
    y.backward()
    print(start, "nodes:", nodes, "gradient:", w.grad.item())
#> 1.0 nodes: 0 gradient: 1.0
#> 3.0 nodes: 3 gradient: 0.25
#> 9.0 nodes: 5 gradient: 0.0625
