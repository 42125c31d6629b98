"""`exp` as a `Function` of our own."""
# covers: function.exp-example, function.steps, function.save-for-backward, function.saved-tensors

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
        return grad_output * result


x = torch.tensor([1.0], requires_grad=True)
y = Exp.apply(x)
print(y)
#> tensor([2.7183], grad_fn=<ExpBackward>)

y.backward()
print(x.grad)
#> tensor([2.7183])

print(torch.exp(x))
#> tensor([2.7183], grad_fn=<ExpBackward0>)
