"""`needs_input_grad` says which gradients are needed."""
# covers: function.needs-input-grad

import torch


class MatMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, note):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, grad_output):
        print(ctx.needs_input_grad)
        a, b = ctx.saved_tensors
        grad_a = grad_b = None
        if ctx.needs_input_grad[0]:
            grad_a = grad_output @ b.t()
        if ctx.needs_input_grad[1]:
            grad_b = a.t() @ grad_output
        return grad_a, grad_b, None


a = torch.ones(2, 3)
b = torch.ones(3, 2, requires_grad=True)
MatMul.apply(a, b, "a is data").sum().backward()
#> (False, True, False)
print(a.grad)
#> None
print(b.grad)
#> tensor([[2., 2.],
#>         [2., 2.],
#>         [2., 2.]])
