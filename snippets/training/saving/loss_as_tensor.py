"""A loss that is saved as a tensor comes back as a leaf, without its graph."""
# covers: save.checkpoint

import io

import torch
from torch import nn


def through_a_file(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file)


loss = nn.Linear(2, 1)(torch.ones(1, 2)).sum() * 0 + 0.25
print(loss.is_leaf, loss.requires_grad)
#> False True
back = through_a_file({"loss": loss})["loss"]
print(back, back.is_leaf, back.grad_fn)
#> tensor(0.2500, requires_grad=True) True None
print(through_a_file({"loss": loss.item()}))
#> {'loss': 0.25}
