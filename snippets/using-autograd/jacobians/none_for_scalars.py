"""In a list of vectors, `None` stands for 1, where the result has one element."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (x**2).sum()
outputs = x * 3

torch.autograd.backward([loss, outputs], [None, torch.tensor([10.0, 100.0])])
print(x.grad)
#> tensor([ 32., 304.])

torch.autograd.backward([x * 3, x.sum()], [None, torch.tensor(1.0)])
#! RuntimeError: grad can be implicitly created only for scalar outputs
