"""`torch.func` works with `setup_context`, and raises an error if `forward` has a `ctx`."""
# engines: torch -- torch.func transforms functions, which is outside the engine

import torch


class OneStep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


class TwoSteps(OneStep):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)


print(torch.func.grad(TwoSteps.apply)(torch.tensor(3.0)))
#> tensor(6.)

torch.func.grad(OneStep.apply)(torch.tensor(3.0))
#! RuntimeError: In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override the setup_context staticmethod. For more details, please see https://pytorch.org/docs/main/notes/extending.func.html
