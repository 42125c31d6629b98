"""At least one input must require a gradient, and the result must depend on it in the graph."""
# covers: function.gradcheck

import torch

x = torch.tensor([1.0], dtype=torch.float64)
try:
    torch.autograd.gradcheck(lambda x: x**2, x)
except ValueError as error:
    print(error)
#> gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True.

torch.autograd.gradcheck(lambda x: x.detach() ** 2, x.requires_grad_())
#! GradcheckError: Numerical gradient for function expected to be zero
