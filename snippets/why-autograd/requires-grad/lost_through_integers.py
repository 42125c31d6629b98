"""A conversion to integers cuts the graph."""
# covers: graph.example.requires-grad-propagates

import torch

w = torch.tensor([1.5, 2.5], requires_grad=True)
steps = w.long().float()
print(steps.requires_grad)
#> False
steps.sum().backward()
#! RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
