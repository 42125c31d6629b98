"""With `backward`, the second derivative is added to the first."""

import torch

x = torch.tensor([3.0], requires_grad=True)

y = x**3
y.backward(create_graph=True)
#~ UserWarning: Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which can cause a memory leak. ...
print(x.grad)
#> tensor([27.], grad_fn=<CopyBackwards>)

x.grad.backward()
print(x.grad)
#> tensor([45.], grad_fn=<CopyBackwards>)

# The same, with grad for the first derivative.
x.grad = None
(first,) = torch.autograd.grad(x**3, x, create_graph=True)
first.backward()
print(x.grad)
#> tensor([18.])
