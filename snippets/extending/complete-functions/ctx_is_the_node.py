"""`ctx` is the node that the backward pass will run."""
# covers: function.ctx-vs-self, function.ctx-note

import torch

seen = []


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        seen.append(ctx)
        ctx.note = "kept on ctx"
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        print(ctx.note)
        (y,) = ctx.saved_tensors
        return grad_y * y


x = torch.tensor([1.0], requires_grad=True)
y = Exp.apply(x)
(ctx,) = seen

print(ctx is y.grad_fn)
#> True
print(type(ctx).__name__, isinstance(ctx, Exp))
#> ExpBackward False
print(ctx.next_functions[0][0].name())
#> torch::autograd::AccumulateGrad

y.backward()
#> kept on ctx
