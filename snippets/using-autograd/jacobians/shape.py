"""The vector must have the shape of the result."""

import torch

x = torch.ones(3, requires_grad=True)

(x * 2).backward(torch.ones(3))
print(x.grad)
#> tensor([2., 2., 2.])

for vector in (torch.ones(2), torch.tensor(1.0)):
    try:
        (x * 2).backward(vector)
    except RuntimeError as error:
        print(error)
#> Mismatch in shape: grad_output[0] has a shape of torch.Size([2]) and output[0] has a shape of torch.Size([3]).
#> Mismatch in shape: grad_output[0] has a shape of torch.Size([]) and output[0] has a shape of torch.Size([3]).

# Two results need two vectors.
torch.autograd.backward([x * 2, x * 3], [torch.ones(3)])
#! RuntimeError: got 2 tensors and 1 gradients
