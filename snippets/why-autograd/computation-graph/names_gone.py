"""`backward` needs the nodes, but no names from your program."""
# covers: graph.data-vs-op

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])
w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
score = w * x + b
error = score - y
loss = (error * error).mean()

del score, error
loss.backward()
print(w.grad, b.grad)
#> tensor(0.4375) tensor(1.)
