"""Finite differences confirm one entry of each of the three gradients."""
# covers: function.linear-example-link

import torch

torch.manual_seed(0)
x = torch.randn(4, 3, dtype=torch.float64)
weight = torch.randn(2, 3, dtype=torch.float64)
bias = torch.randn(2, dtype=torch.float64)
upstream = torch.randn(4, 2, dtype=torch.float64)  # The gradient that arrives.


def loss(x, weight, bias):
    return ((x @ weight.t() + bias) * upstream).sum()


def slope(tensor, index, step=1e-6):
    tensor[index] += step
    up = loss(x, weight, bias).item()
    tensor[index] -= 2 * step
    down = loss(x, weight, bias).item()
    tensor[index] += step
    return (up - down) / (2 * step)


print(f"x      {slope(x, (1, 2)):.6f} {(upstream @ weight)[1, 2].item():.6f}")
#> x      -0.717605 -0.717605
print(f"weight {slope(weight, (0, 1)):.6f} {(upstream.t() @ x)[0, 1].item():.6f}")
#> weight -0.197218 -0.197218
print(f"bias   {slope(bias, (1,)):.6f} {upstream.sum(0)[1].item():.6f}")
#> bias   2.704043 2.704043
