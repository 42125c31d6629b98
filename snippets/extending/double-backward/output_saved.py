"""A saved output leads back to its node, so exp has derivatives of any order."""

import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        print(result.requires_grad, result.grad_fn.name())
        return grad_output * result


x = torch.tensor([1.0], requires_grad=True)
(first,) = torch.autograd.grad(Exp.apply(x), x, create_graph=True)
#> True ExpBackward
(second,) = torch.autograd.grad(first, x)
#> True ExpBackward
print(first, second)
#> tensor([2.7183], grad_fn=<MulBackward0>) tensor([2.7183])
