"""`Function` adds an operation with a derivative that you write."""
# covers: autograd.three-apis

import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x**2


w = torch.tensor(2.0, requires_grad=True)
y = Cube.apply(w)
y.backward()
print(y, w.grad)
#> tensor(8., grad_fn=<CubeBackward>) tensor(12.)
