"""The cube is similar to a line, and the third Legendre polynomial isn't."""
# covers: function.legendre

import torch

x = (torch.arange(200) + 0.5) / 100 - 1  # 200 points from -1 to 1
line, cube, p3 = x, x**3, (5 * x**3 - 3 * x) / 2


def likeness(f, g):
    return f @ g / (f.norm() * g.norm())


print(f"{likeness(line, cube).item():.2f} {abs(likeness(line, p3).item()):.2f}")
#> 0.92 0.00
