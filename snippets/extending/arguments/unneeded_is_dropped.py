"""PyTorch discards a gradient that isn't needed; a needed gradient that is missing stays `None`."""
# covers: function.needs-input-grad

import torch


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        return grad_output * b, grad_output * a


a = torch.tensor([2.0], requires_grad=True)
b = torch.tensor([3.0])
Mul.apply(a, b).backward()
print(a.grad, b.grad)
#> tensor([3.]) None


class Forgetful(Mul):
    @staticmethod
    def backward(ctx, grad_output):
        return None, None


a.grad = None
Forgetful.apply(a, b).backward()
print(a.grad)
#> None
