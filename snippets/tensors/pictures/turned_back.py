"""Gradient descent finds the angle that makes a tilted line upright."""

import torch
import torch.nn.functional as F


def turned(image, degrees):
    a = degrees * torch.pi / 180
    cos, sin, zero = a.cos(), a.sin(), 0 * a
    matrix = torch.stack((cos, -sin, zero, sin, cos, zero)).view(1, 2, 3)
    grid = F.affine_grid(matrix, image.shape, align_corners=True)
    return F.grid_sample(image, grid, align_corners=True)


upright = torch.zeros(1, 1, 7, 7)
upright[..., 1:6, 3] = 1
tilted = turned(upright, torch.tensor(20.0))
torch.set_printoptions(precision=1)
print(tilted[0, 0])
#> tensor([[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
#>         [0.0, 0.0, 0.6, 0.3, 0.0, 0.0, 0.0],
#>         [0.0, 0.0, 0.4, 0.7, 0.0, 0.0, 0.0],
#>         [0.0, 0.0, 0.1, 1.0, 0.1, 0.0, 0.0],
#>         [0.0, 0.0, 0.0, 0.7, 0.4, 0.0, 0.0],
#>         [0.0, 0.0, 0.0, 0.3, 0.6, 0.0, 0.0],
#>         [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
torch.set_printoptions(profile="default")


def error(degrees):
    return ((turned(tilted, degrees) - upright) ** 2).sum()


degrees = torch.tensor(1.0, requires_grad=True)
tried = [degrees.item()]
for _ in range(100):
    (slope,) = torch.autograd.grad(error(degrees), degrees)
    with torch.no_grad():
        degrees -= 20 * slope
    tried.append(degrees.item())
print(round(degrees.item(), 1))
#> -21.0
