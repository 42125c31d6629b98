"""A sum of losses keeps the graph of every loss alive."""
# covers: autograd.no-grad

import torch


def count_nodes(tensor):
    nodes, waiting = set(), [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in nodes:
            nodes.add(node)
            waiting += [next_node for next_node, _ in node.next_functions]
    return len(nodes)


x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)

total, alive = 0.0, {}
for step in range(1, 101):
    loss = ((w * x + b - y) ** 2).mean()
    total = total + loss
    if step % 25 == 0:
        alive[f"after {step} losses"] = count_nodes(total)

print("one loss:", count_nodes(loss))
#> one loss: 7
print("the total:", count_nodes(total))
#> the total: 602
