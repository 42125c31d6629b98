"""A hook on every step of a computation prints its name if the gradient has a NaN."""
# covers: hooks.why

import torch

x = torch.tensor([4.0, 0.0], requires_grad=True)
square = x * x
root = square.sqrt()
masked = torch.where(x > 0, root, 0.0)  # The root is used where x is positive.
steps = {"x": x, "square": square, "root": root, "masked": masked}


def report_as(name):
    return lambda grad: print(name) if grad.isnan().any() else None


for name, step in steps.items():
    step.register_hook(report_as(name))

masked.sum().backward()
#> square
#> x
