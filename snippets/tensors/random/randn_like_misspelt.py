"""A misspelled name raises an error when its line runs."""

import torch

try:
    torch.rafndn_like
except AttributeError as error:
    print(error)
#> module 'torch' has no attribute 'rafndn_like'
torch_randn
#! NameError: name 'torch_randn' is not defined
