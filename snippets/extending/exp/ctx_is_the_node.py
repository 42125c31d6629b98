"""`ctx` is an object after all: it's the node that backward will run."""
# covers: function.ctx-vs-self, function.ctx-note

import torch

seen = []


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        seen.append(ctx)
        ctx.note = "kept on ctx"
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        print(ctx.note)
        (result,) = ctx.saved_tensors
        return grad_output * result


x = torch.tensor([1.0], requires_grad=True)
y = Exp.apply(x)

print(seen[0] is y.grad_fn)
#> True
print(type(seen[0]).__name__, isinstance(seen[0], Exp))
#> ExpBackward False
print(y.grad_fn.next_functions[0][0].name())
#> torch::autograd::AccumulateGrad

y.backward()
#> kept on ctx
