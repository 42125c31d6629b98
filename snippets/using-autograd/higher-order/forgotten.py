"""Without `create_graph` the first derivative is a plain number."""
# covers: autograd.grad.second-derivative

import torch

x = torch.tensor([3.0], requires_grad=True)

(first,) = torch.autograd.grad(x**2, x)
print(first)
#> tensor([6.])
try:
    torch.autograd.grad(first, x)
except RuntimeError as error:
    print(error)
#> element 0 of tensors does not require grad and does not have a grad_fn

# retain_graph keeps the graph of y; it doesn't record one for the gradient.
y = x**2
(first,) = torch.autograd.grad(y, x, retain_graph=True)
torch.autograd.grad(first, x)
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
