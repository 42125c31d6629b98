"""Autograd records `round()` with a derivative of 0."""
# covers: graph.example.requires-grad-propagates

import torch


def rounded(w):
    return torch.round(w * 2)


w = torch.tensor(1.6, requires_grad=True)
steps = rounded(w)
print(steps.requires_grad)
#> True
steps.backward()
print(w.grad)
#> tensor(0.)
