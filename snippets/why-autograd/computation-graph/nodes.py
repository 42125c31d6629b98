"""Collect all nodes that can be reached from the loss."""
# covers: graph.nodes-edges theory.graph-picture graph.pipe-analogy

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
score = w * x + b
error = score - y
loss = (error * error).mean()


def collect(node, nodes):
    if node is not None and node not in nodes:
        nodes.append(node)
        for earlier, _ in node.next_functions:
            collect(earlier, nodes)
    return nodes


nodes = collect(loss.grad_fn, [])
print(type(nodes[0]).__name__, type(nodes[1]).__name__)
#> MeanBackward0 MulBackward0
print(len(nodes))
#> 7
print([type(node).__name__ for node in nodes[2:]])
#> ['SubBackward0', 'AddBackward0', 'MulBackward0', 'AccumulateGrad', 'AccumulateGrad']
