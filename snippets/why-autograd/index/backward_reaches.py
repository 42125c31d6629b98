"""`backward` reaches the tensors that require a gradient and on which the loss depends."""
# covers: theory.autodiff-why

import torch

used = torch.tensor(2.0, requires_grad=True)
unused = torch.tensor(3.0, requires_grad=True)
fixed = torch.tensor(4.0)

loss = used * fixed
loss.backward()
print(used.grad)
#> tensor(4.)
print(unused.grad)
#> None
print(fixed.grad)
#> None

node = loss.grad_fn
print(isinstance(node, torch.autograd.graph.Node))
#> True
print(isinstance(loss, torch.autograd.graph.Node))
#> False
