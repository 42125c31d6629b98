"""`gradcheck` compares gradients with finite differences and finds the first five mistakes."""
# covers: inplace.no-error-means-right

import numpy as np

import torch


def right(x):
    h = x * 2
    return h * h


def through_data(x):
    h = x * 2
    y = h * h
    h.data.clamp_(max=3)
    return y


def through_numpy(x):
    array = np.array([3.0, 4.0])
    y = x * torch.from_numpy(array)
    array[:] = 0
    return y


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return 2 * ctx.x * grad


def attribute_of_ctx(x):
    h = x * 1
    y = Square.apply(h)
    with torch.no_grad():
        h.zero_()
    return y


def left_out_part(x):
    with torch.no_grad():
        weight = x / x.sum()
    return weight * x


def rebuilt_tensor(x):
    return torch.tensor([x[0].item() * 3], dtype=torch.float64) + x


x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
for f in (right, through_data, through_numpy, attribute_of_ctx, left_out_part, rebuilt_tensor):
    print(f"{f.__name__:16}", torch.autograd.gradcheck(f, x, raise_exception=False))
#> right            True
#> through_data     False
#> through_numpy    False
#> attribute_of_ctx False
#> left_out_part    False
#> rebuilt_tensor   False
