"""Newton's method divides the slope by the curvature to get the length of a step."""

import torch


def f(x):
    return x.exp() - 2 * x


x = torch.tensor(3.0, requires_grad=True)
places = []
for _ in range(6):
    places.append(x.item())
    (slope,) = torch.autograd.grad(f(x), x, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, x)
    x = (x - slope / curvature).detach().requires_grad_()
print([round(place, 4) for place in places])
#> [3.0, 2.0996, 1.3446, 0.8659, 0.7072, 0.6932]
print(torch.tensor(2.0).log())  # where the slope, exp(x) - 2, is zero
#> tensor(0.6931)
