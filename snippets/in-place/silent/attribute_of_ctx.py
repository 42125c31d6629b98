"""3. A tensor assigned to an attribute of `ctx` is not checked."""
# covers: inplace.no-error-means-right

import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x  # not checked
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return 2 * ctx.x * grad


class CheckedSquare(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)  # checked
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


for function in (Square, CheckedSquare):
    x = torch.tensor([3.0], requires_grad=True)
    h = x * 1
    y = function.apply(h)
    with torch.no_grad():
        h.zero_()
    try:
        y.backward()
        print(function.__name__, x.grad)
    except RuntimeError as error:
        print(function.__name__, "RuntimeError:", str(error)[:56])
#> Square tensor([0.])
#> CheckedSquare RuntimeError: one of the variables needed for gradient computation has
