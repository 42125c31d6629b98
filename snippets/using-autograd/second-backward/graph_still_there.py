"""After `backward` the nodes are still there, and only their saved tensors are freed."""

import torch

x = torch.tensor([2.0], requires_grad=True)
y = x.exp()
print(y.grad_fn._saved_result)
#> tensor([7.3891], grad_fn=<ExpBackward0>)

y.backward()
print(y.grad_fn.name(), y.grad_fn.next_functions[0][0].name())
#> ExpBackward0 torch::autograd::AccumulateGrad
print(y.grad_fn._saved_result)
#! RuntimeError: Trying to backward through the graph a second time ...
