"""What `relu` lets through."""

import warnings

import torch

print(torch.relu(torch.tensor([-1.0, 2.0])))
#> tensor([0., 2.])
warnings.warn("this one is said twice, here and elsewhere, in the same nine words", DeprecationWarning)
#~ DeprecationWarning: this one is said twice, here and elsewhere, in the same nine words
