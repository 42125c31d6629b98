"""A node can be called, but has no `forward` and no `backward` method."""
# covers: graph.two-elements

import torch

x = torch.tensor(2.0, requires_grad=True)
y = x.exp()
node = y.grad_fn

print(hasattr(node, "forward"), hasattr(node, "backward"))
#> False False
print(isinstance(node, torch.autograd.graph.Node), isinstance(node, torch.autograd.Function))
#> True False
print(node(torch.tensor(1.0)).detach())
#> tensor(7.3891)
