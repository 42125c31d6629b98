"""Gradient descent without an optimizer fits y = a + b P3(c + d x) to a sine."""
# covers: function.legendre

# region: fit
import math

import torch


class Legendre3(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (5 * x**3 - 3 * x) / 2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (15 * x**2 - 3) / 2


x = torch.linspace(-math.pi, math.pi, 200, dtype=torch.float64)
target = torch.sin(x)
start = (0.0, -1.0, 0.0, 0.3)
parameters = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in start]
a, b, c, d = parameters

for step in range(301):
    loss = ((a + b * Legendre3.apply(c + d * x) - target) ** 2).sum()
    if step % 100 == 0:
        print(f"step {step}: loss {loss.item():.4f}")
    loss.backward()
    with torch.no_grad():
        for parameter in parameters:
            parameter -= 5e-5 * parameter.grad
            parameter.grad = None
#> step 0: loss 46.4016
#> step 100: loss 20.8587
#> step 200: loss 14.3967
#> step 300: loss 10.0414

print(f"y = {b.item():.2f} * P3({d.item():.2f} x)")
#> y = -1.55 * P3(0.25 x)
print(abs(a.item()) < 1e-9, abs(c.item()) < 1e-9)
#> True True
# endregion

sine, fitted = target, a + b * Legendre3.apply(c + d * x)
