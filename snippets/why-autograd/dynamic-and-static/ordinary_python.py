"""An ordinary loop and an ordinary if decide what the graph looks like."""
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


for start in (1.0, 5.0, 100.0):
    w = torch.tensor(start, requires_grad=True)
    y = halve_until_small(w)
    nodes = length(y.grad_fn) if y.grad_fn else 0
    y.backward()
    print(start, "nodes:", nodes, "gradient:", w.grad.item())
#> 1.0 nodes: 0 gradient: 1.0
#> 5.0 nodes: 4 gradient: 0.125
#> 100.0 nodes: 8 gradient: 0.0078125
