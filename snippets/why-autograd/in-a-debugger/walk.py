"""Follow the edges from the result to the leaves."""
# covers: graph.nodes-edges theory.graph-picture graph.pipe-analogy

import torch


def show(node, depth=0):
    print("  " * depth + type(node).__name__)
    for parent, _ in node.next_functions:
        if parent is not None:
            show(parent, depth + 1)


x = torch.tensor(2.0)
w = torch.tensor(1.0, requires_grad=True)
y = (x + w) * (w + 1)
show(y.grad_fn)
#> MulBackward0
#>   AddBackward0
#>     AccumulateGrad
#>   AddBackward0
#>     AccumulateGrad
