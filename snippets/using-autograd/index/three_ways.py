"""One derivative, computed in the three ways that autograd offers."""
# covers: autograd.three-apis

import torch

x = torch.tensor(3.0, requires_grad=True)

# 1. backward
(x**2).backward()
print(x.grad)
#> tensor(6.)

# 2. grad
print(torch.autograd.grad(x**2, x))
#> (tensor(6.),)
print(x.grad)
#> tensor(6.)


# 3. Function: the rule for the gradient is your own
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, side):
        ctx.save_for_backward(side)
        return side * side

    @staticmethod
    def backward(ctx, upstream):
        (side,) = ctx.saved_tensors
        return upstream * 2 * side


print(torch.autograd.grad(Square.apply(x), x))
#> (tensor(6.),)
