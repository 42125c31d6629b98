"""The vector must have the shape of the result."""

import torch

x = torch.ones(3, requires_grad=True)

(x * 2).backward(torch.ones(2))
#! RuntimeError: Mismatch in shape: grad_output[0] has a shape of torch.Size([2]) and output[0] has a shape of torch.Size([3]).

(x * 2).backward(torch.tensor(1.0))
#! RuntimeError: Mismatch in shape: grad_output[0] has a shape of torch.Size([]) and output[0] has a shape of torch.Size([3]).

torch.autograd.backward([x * 2, x * 3], [torch.ones(3)])
#! RuntimeError: got 2 tensors and 1 gradients

(x * 2).backward(torch.ones(3))
print(x.grad)
#> tensor([2., 2., 2.])
