"""At a kink, `backward` and the finite difference disagree, and neither is wrong."""

import torch

relu = torch.nn.functional.relu
x = torch.tensor([0.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(relu, x, raise_exception=False))
#> False

# backward gives 0 there, the finite difference gives one half.
print(torch.autograd.grad(relu(x), x))
#> (tensor([0.], dtype=torch.float64),)
print((relu(torch.tensor(1e-6)) - relu(torch.tensor(-1e-6))) / 2e-6)
#> tensor(0.5000)

x = torch.tensor([-1.0, 1.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(relu, x))
#> True
