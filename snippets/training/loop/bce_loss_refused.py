"""`BCELoss` refuses inputs that are not probabilities, integer targets, and targets of another shape."""
# covers: train.loss-optimizer

import torch
from torch import nn

half, target = torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0])
for x, y in (torch.tensor([2.0, -1.0]), target), (half, target.long()), (half.reshape(2, 1), target):
    try:
        nn.BCELoss(reduction="sum")(x, y)
    except (RuntimeError, ValueError) as error:
        print(f"{type(error).__name__}: {error}")
#> RuntimeError: all elements of input should be between 0 and 1
#> RuntimeError: Found dtype Long but expected Float
#> ValueError: Using a target size (torch.Size([2])) that is different to the input size (torch.Size([2, 1])) is deprecated. Please ensure they have the same size.
