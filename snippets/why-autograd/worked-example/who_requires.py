"""One operand that requires a gradient is enough."""
# covers: graph.example.requires-grad-propagates

import torch

input = torch.ones(2, 2)
w1 = torch.tensor(2.0, requires_grad=True)
w2 = torch.tensor(3.0, requires_grad=True)
w3 = torch.tensor(4.0, requires_grad=True)

l1 = input * w1
l2 = l1 + w2
l3 = l1 * w3
l4 = l2 * l3
loss = l4.mean()

print(input.requires_grad)
#> False
print([t.requires_grad for t in (w1, w2, w3)])
#> [True, True, True]
print([t.requires_grad for t in (l1, l2, l3, l4, loss)])
#> [True, True, True, True, True]
