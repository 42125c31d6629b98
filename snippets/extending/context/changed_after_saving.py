"""`save_for_backward` notices a change in place; an attribute of `ctx` doesn't."""
# covers: function.save-for-backward

import torch


class SquareKept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return 2 * ctx.x * grad_output


class SquareSaved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


for function in SquareKept, SquareSaved:
    w = torch.tensor([3.0], requires_grad=True)
    y = function.apply(w)
    with torch.no_grad():
        w.zero_()
    try:
        y.backward()
        print(w.grad)  # Should be 6.
    except RuntimeError as error:
        print(error)
#> tensor([0.])
#>? one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [1]] is at version 1; expected version 0 instead. ...
