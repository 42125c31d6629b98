"""`grad` returns a tuple and leaves every `.grad` alone."""
# covers: autograd.grad.stub

import torch

x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor([1.0], requires_grad=True)
y = (x + w) * (w + 1)

gradients = torch.autograd.grad(y, [x, w])
print(gradients)
#> (tensor([2.]), tensor([5.]))
print(x.grad, w.grad)
#> None None

# Always a tuple, for a single input too.
print(torch.autograd.grad(x**2, x))
#> (tensor([4.]),)
