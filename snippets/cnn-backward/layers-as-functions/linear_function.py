"""A linear layer as a `Function` returns three gradients, and its bias may be missing."""
# covers: function.linear-example-link, function.needs-input-grad

import torch


class LinearFunction(torch.autograd.Function):
    """y = x W^T + b, for x of shape (n, in), W (out, in), b (out,)."""

    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight)
        output = x @ weight.t()
        if bias is not None:
            output = output + bias
        return output

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output @ weight  # (n, out) @ (out, in)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t() @ x  # (out, n) @ (n, in)
        if len(ctx.needs_input_grad) > 2 and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)  # (out,)
        return grad_x, grad_weight, grad_bias


torch.manual_seed(0)
x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
weight = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
bias = torch.randn(2, dtype=torch.float64, requires_grad=True)

ours = torch.autograd.grad(LinearFunction.apply(x, weight, bias).sum(), [x, weight, bias])
theirs = torch.autograd.grad(torch.nn.functional.linear(x, weight, bias).sum(), [x, weight, bias])
print([torch.allclose(o, t) for o, t in zip(ours, theirs, strict=True)])
#> [True, True, True]

print(torch.autograd.gradcheck(LinearFunction.apply, (x, weight, bias)))
#> True
print(torch.autograd.gradcheck(LinearFunction.apply, (x, weight)))
#> True
