"""One call of backward gives the gradient of every variable."""
# covers: autograd.example-xy

import torch

x = torch.tensor([2.0], requires_grad=True)
y = torch.tensor([3.0], requires_grad=True)
z = (x + y) * (y - 2)
print(z)
#> tensor([5.], grad_fn=<MulBackward0>)

z.backward()
print(x.grad, y.grad)
#> tensor([1.]) tensor([6.])
