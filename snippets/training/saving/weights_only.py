"""A whole model in a file is a pickle; `load` refuses it by default."""
# covers: save.load

import io

import torch
from torch import nn


def file_with(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file


print(torch.load(file_with(nn.Linear(1, 1).state_dict())).keys())
#> odict_keys(['weight', 'bias'])

print(torch.load(file_with(nn.Linear(1, 1)), weights_only=False))
#> Linear(in_features=1, out_features=1, bias=True)

torch.load(file_with(nn.Linear(1, 1)))
#! UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, ...
