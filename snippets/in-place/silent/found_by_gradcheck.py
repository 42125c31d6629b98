"""`gradcheck` compares with the difference quotient and finds such mistakes."""
# covers: inplace.no-error-means-right

import torch


def careless(x):
    h = x * 2
    y = h * h
    h.data.clamp_(max=3)
    return y


def careful(x):
    h = x * 2
    y = h * h
    return y


x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(careful, x))
#> True
print(torch.autograd.gradcheck(careless, x, raise_exception=False))
#> False
