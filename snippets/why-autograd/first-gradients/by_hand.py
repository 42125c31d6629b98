"""The rule for the slope, found on paper."""
# covers: theory.two-phases

import torch

x = torch.tensor([0.0, 0.25, 0.75, 1.0])
y = torch.tensor([0.0, 0.0, 1.0, 1.0])


def slope(w):
    return (2 * (w * x - y) * x).mean()


print(slope(0.0))
#> tensor(-0.8750)
