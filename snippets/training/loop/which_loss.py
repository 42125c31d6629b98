"""Each of four tasks has its own loss, with targets of a certain shape and type."""
# covers: train.loss-optimizer

import torch
from torch import nn

# How much? One number for each of two samples
print(nn.MSELoss()(torch.zeros(2, 1), torch.tensor([[3.0], [-1.0]])))
#> tensor(5.)

# Yes or no? One score each, and 1 or 0
print(nn.BCEWithLogitsLoss()(torch.zeros(2, 1), torch.tensor([[1.0], [0.0]])))
#> tensor(0.6931)

# Which of three? Three scores each, and the number of the right one
print(nn.CrossEntropyLoss()(torch.zeros(2, 3), torch.tensor([2, 0])))
#> tensor(1.0986)

# Which of three, be it none or all of them? Three scores each, and 1 or 0 for each
print(nn.BCEWithLogitsLoss()(torch.zeros(2, 3), torch.tensor([[1.0, 0.0, 1.0], [0.0, 0.0, 0.0]])))
#> tensor(0.6931)
