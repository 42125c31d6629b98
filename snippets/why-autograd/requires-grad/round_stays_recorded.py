"""`round()` is recorded, with a slope of 0."""
# covers: graph.example.requires-grad-propagates

import torch

w = torch.tensor([1.5, 2.5], requires_grad=True)
steps = w.round()
steps.sum().backward()
print(w.grad)
#> tensor([0., 0.])
