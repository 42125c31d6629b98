"""What a sum of losses keeps alive."""
# covers: autograd.no-grad

import torch


def nodes_behind(tensor):
    found, waiting = set(), [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found.add(node)
            waiting += [before for before, _ in node.next_functions]
    return len(found)


x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(0.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)

total, alive = 0.0, {}
for step in range(1, 101):
    loss = ((w * x + b - y) ** 2).mean()
    total = total + loss
    if step % 25 == 0:
        alive[f"after {step} losses"] = nodes_behind(total)

print("behind one loss:", nodes_behind(loss))
#> behind one loss: 7
print("behind the total:", nodes_behind(total))
#> behind the total: 602
