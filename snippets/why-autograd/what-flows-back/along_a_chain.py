"""Each of three nodes multiplies the upstream gradient by its own derivative."""
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
