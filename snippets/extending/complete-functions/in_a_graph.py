"""A node of your own works between two nodes of PyTorch like any other."""
# covers: function.exp-example, graph.forward-builds-backward

import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return grad_y * y


# region: use
x = torch.tensor([0.0, 1.0], requires_grad=True)
h = x * 2
y = Exp.apply(h)
loss = y.sum()
loss.backward()
print(y)
#> tensor([1.0000, 7.3891], grad_fn=<ExpBackward>)
print(x.grad)
#> tensor([ 2.0000, 14.7781])
# endregion
