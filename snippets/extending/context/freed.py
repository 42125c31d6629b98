"""`backward` frees saved tensors, and an attribute of `ctx` exists as long as the graph."""
# covers: function.saved-tensors

import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.scratch = torch.ones(3)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


x = torch.tensor([3.0], requires_grad=True)
y = Square.apply(x)
print(y.grad_fn.saved_tensors)
#> (tensor([3.], requires_grad=True),)

y.backward()
print(y.grad_fn.scratch)
#> tensor([1., 1., 1.])
try:
    print(y.grad_fn.saved_tensors)
except RuntimeError as error:
    print(error)
#>? Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). ...

y.backward()
#! RuntimeError: Trying to backward through the graph a second time ...
