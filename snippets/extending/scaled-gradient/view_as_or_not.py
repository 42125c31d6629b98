"""`apply` returns a view, whether `forward` returns `x` itself or `x.view_as(x)`."""
# covers: function.gradcoeff

import torch


class ReturnsInput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return -0.1 * grad_output


class ReturnsView(ReturnsInput):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)


class ReturnsCopy(ReturnsInput):
    @staticmethod
    def forward(ctx, x):
        return x.clone()


x = torch.tensor([2.0], requires_grad=True)
for function in ReturnsInput, ReturnsView, ReturnsCopy:
    y = function.apply(x)
    (gradient,) = torch.autograd.grad(y, x)
    print(function.__name__, y is x, y.data_ptr() == x.data_ptr(), gradient)
#> ReturnsInput False True tensor([-0.1000])
#> ReturnsView False True tensor([-0.1000])
#> ReturnsCopy False False tensor([-0.1000])

print(ReturnsCopy.apply(x * 1).add_(1))
#> tensor([3.], grad_fn=<AddBackward0>)

ReturnsInput.apply(x * 1).add_(1)
#! RuntimeError: Output 0 of ReturnsInput is a view and is being modified inplace. This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function.
