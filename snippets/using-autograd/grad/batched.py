"""`is_grads_batched` sends several vectors through in one call."""
# covers: autograd.grad.signature

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.stack([x[0] * x[1], x[1] * x[2] ** 2])

print(torch.autograd.grad(y, x, grad_outputs=torch.eye(2), is_grads_batched=True))
#> (tensor([[ 2.,  1.,  0.],
#>         [ 0.,  9., 12.]]),)
