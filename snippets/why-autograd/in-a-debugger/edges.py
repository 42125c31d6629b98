"""An operand that requires no gradient has no edge: `None` stands in its place."""
# covers: graph.nodes-edges theory.graph-picture

import torch

x = torch.tensor(2.0)
w = torch.tensor(1.0, requires_grad=True)
a = x + w

(edge_to_x, edge_to_w) = a.grad_fn.next_functions
print(edge_to_x)
#> (None, 0)
print(type(edge_to_w[0]).__name__, edge_to_w[1])
#> AccumulateGrad 0
print(edge_to_w[0].variable is w)
#> True
