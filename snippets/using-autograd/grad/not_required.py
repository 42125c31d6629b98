"""Each input must require grad."""

import torch

x = torch.tensor([2.0], requires_grad=True)
plain = torch.tensor([3.0])

torch.autograd.grad(x * plain, plain)
#! RuntimeError: One of the differentiated Tensors does not require grad

torch.autograd.grad(x * plain, [])
#! RuntimeError: `inputs` argument to `grad()` cannot be empty.
