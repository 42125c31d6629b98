"""A saved intermediate value makes the second derivative wrong, without an error."""

import torch


# region: lost
class Sinh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        plus = torch.exp(x)
        minus = torch.exp(-x)
        ctx.save_for_backward(plus, minus)
        return (plus - minus) / 2

    @staticmethod
    def backward(ctx, grad_output):
        plus, minus = ctx.saved_tensors
        return grad_output * (plus + minus) / 2


def first_derivative(f, x):
    return torch.autograd.grad(f(x) ** 2, x, create_graph=True)[0]


def second_derivative(f, x):
    return torch.autograd.grad(first_derivative(f, x), x)[0]


x = torch.tensor([1.0], requires_grad=True)
print(second_derivative(Sinh.apply, x))
#> tensor([4.7622])
print(second_derivative(torch.sinh, x))
#> tensor([7.5244])
# endregion


# region: remedy
# Save the input and compute in backward, where autograd can see it.
class SinhFromInput(Sinh):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (torch.exp(x) - torch.exp(-x)) / 2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (torch.exp(x) + torch.exp(-x)) / 2


print(second_derivative(SinhFromInput.apply, x))
#> tensor([7.5244])
# endregion


def slope(x):
    return first_derivative(Sinh.apply, x)


def slope_mended(x):
    return first_derivative(SinhFromInput.apply, x)


point, shown = 1.0, [-1.5, 1.5]
