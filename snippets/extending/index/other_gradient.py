"""A gradient that isn't the derivative: `round`, with the gradient passed straight through."""
# covers: function.why

import torch

x = torch.tensor([0.2, 1.7], requires_grad=True)
torch.round(x).sum().backward()
print(x.grad)
#> tensor([0., 0.])


class RoundStraightThrough(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


x.grad = None
y = RoundStraightThrough.apply(x)
print(y)
#> tensor([0., 2.], grad_fn=<RoundStraightThroughBackward>)
y.sum().backward()
print(x.grad)
#> tensor([1., 1.])
