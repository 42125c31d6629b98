"""`cross_entropy` refuses a label that is too large, labels of a floating-point type, and a column of labels."""
# covers: train.loss-optimizer

import torch
import torch.nn.functional as F

logits = torch.zeros(2, 10)
for labels in torch.tensor([3, 10]), torch.tensor([3.0, 7.0]), torch.tensor([[3], [7]]):
    try:
        F.cross_entropy(logits, labels)
    except (IndexError, RuntimeError) as error:
        print(f"{type(error).__name__}: {error}")
#> IndexError: Target 10 is out of bounds.
#> RuntimeError: expected target dtype to be Long or Byte, but got Float
#> RuntimeError: 0D or 1D target tensor expected, multi-target not supported
