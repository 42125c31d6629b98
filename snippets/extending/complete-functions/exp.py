"""`exp` as a `Function` has the same values and gradients as PyTorch's `exp`."""
# covers: function.exp-example, function.steps, function.save-for-backward, function.saved-tensors

import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return grad_y * y  # The derivative of e to the x is e to the x.


x = torch.tensor([1.0], requires_grad=True)
for exp in Exp.apply, torch.exp:
    y = exp(x)
    (gradient,) = torch.autograd.grad(y, x)
    print(y, gradient)
#> tensor([2.7183], grad_fn=<ExpBackward>) tensor([2.7183])
#> tensor([2.7183], grad_fn=<ExpBackward0>) tensor([2.7183])
