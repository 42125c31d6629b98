"""`gradcheck` passes at inputs where a wrong gradient function happens to be right."""

import torch


def limited(x):
    h = x * 2
    y = h * h
    h.data.clamp_(max=3)
    return y


x = torch.tensor([1.0, 2.0], requires_grad=True)
limited(x).sum().backward()
print(x.grad)  # right would be 8 and 16
#> tensor([ 8., 12.])

small = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(limited, small, raise_exception=False))
#> True
