"""Three functions in a row: each node multiplies what arrives by its own slopes."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
e = x.exp()
total = e.sum()
loss = total**2
loss.backward()
print(total)
#> tensor(4.0862, grad_fn=<SumBackward0>)
print(x.grad)
#> tensor([ 3.0064,  8.1723, 22.2147])
