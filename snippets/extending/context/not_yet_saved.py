"""`saved_tensors` is empty until `forward` has returned."""
# covers: function.saved-tensors

import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        print("in forward: ", ctx.saved_tensors)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        print("in backward:", ctx.saved_tensors)
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


x = torch.tensor([3.0], requires_grad=True)
Square.apply(x).backward()
#> in forward:  ()
#> in backward: (tensor([3.], requires_grad=True),)
