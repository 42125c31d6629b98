"""A tensor inside a list gets no gradient, and there is no error."""
# covers: function.forward-args-any

import torch


class Sum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensors):
        print(ctx.needs_input_grad)
        return sum(tensors)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


a = torch.tensor([1.0], requires_grad=True)
b = torch.tensor([2.0], requires_grad=True)
print(Sum.apply([a, b]))
#> (False,)
#> tensor([3.])


class SumEach(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *tensors):
        ctx.number = len(tensors)
        print(ctx.needs_input_grad)
        return sum(tensors)

    @staticmethod
    def backward(ctx, grad_output):
        return (grad_output,) * ctx.number


print(SumEach.apply(a, b))
#> (True, True)
#> tensor([3.], grad_fn=<SumEachBackward>)
