"""The argument `reduce` takes a name; `None` is refused."""

import torch

torch.zeros(3).scatter_(0, torch.tensor([0]), torch.ones(1), reduce=None)
#! TypeError: scatter_() received an invalid combination of arguments - got (int, Tensor, Tensor, reduce=NoneType), ...
