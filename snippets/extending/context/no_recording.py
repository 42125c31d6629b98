"""`forward` runs without recording, and `backward` is recorded only with `create_graph=True`."""
# covers: function.ctx-vs-self

import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * x
        print("forward: ", torch.is_grad_enabled(), y.requires_grad)
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        print("backward:", torch.is_grad_enabled())
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


x = torch.tensor([3.0], requires_grad=True)
y = Square.apply(x)
#> forward:  False False
print(y)
#> tensor([9.], grad_fn=<SquareBackward>)
y.backward()
#> backward: False

print(torch.autograd.grad(Square.apply(x), x, create_graph=True))
#> forward:  False False
#> backward: True
#> (tensor([6.], grad_fn=<MulBackward0>),)
