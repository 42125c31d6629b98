"""`torch.autograd` is the interface, and the engine of the backward pass is compiled."""
# engines: torch -- the subject is torch's compiled part

import torch

print(type(torch.autograd.variable.Variable._execution_engine).__module__)
#> torch._C
x = torch.ones(1, requires_grad=True)
y = x.exp()
print(type(y.grad_fn).__module__, type(y.grad_fn).__name__)
#> builtins ExpBackward0


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.exp())
        return x.exp()


Exp.apply(x).backward()
#! NotImplementedError: You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD.
