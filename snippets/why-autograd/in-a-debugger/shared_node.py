"""Branches of the graph can meet again in one node."""
# covers: graph.forward-is-dynamic-graph

import torch

w = torch.tensor(3.0, requires_grad=True)
h = w * 2
y = h.sin() * h.cos()

nodes = [node for node, _ in y.grad_fn.next_functions]
print([type(node).__name__ for node in nodes])
#> ['SinBackward0', 'CosBackward0']

left, right = [node.next_functions[0][0] for node in nodes]
print(type(left).__name__, left is right)
#> MulBackward0 True
