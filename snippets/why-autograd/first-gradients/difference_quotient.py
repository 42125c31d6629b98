"""A gradient can always be checked by two more forward passes."""
# covers: graph.xw-grad

import torch


def f(x, w):
    return (x + w) * (w + 1)


w = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
x = torch.tensor(2.0, dtype=torch.float64)
f(x, w).backward()

h = 1e-6
with torch.no_grad():
    slope = (f(x, w + h) - f(x, w - h)) / (2 * h)
print(w.grad, slope)
#> tensor(5., dtype=torch.float64) tensor(5.0000, dtype=torch.float64)
print(torch.allclose(w.grad, slope))
#> True
