"""For a result with several numbers, `backward` starts with a gradient that you pass."""
# covers: theory.matrixslow-jacobian

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y.backward(torch.tensor([1.0, 1.0]))
print(x.grad)
#> tensor([3., 3.])
