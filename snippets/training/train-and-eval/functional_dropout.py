"""`F.dropout` doesn't depend on the mode of a module and is active by default."""
# covers: tricks.model-eval

import torch
import torch.nn.functional as F
from torch import nn


class Always(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5)


class InTraining(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, self.training)


torch.manual_seed(0)
x = torch.ones(8)
print(Always().eval()(x))
#> tensor([0., 0., 2., 0., 0., 0., 2., 2.])
print(InTraining().eval()(x))
#> tensor([1., 1., 1., 1., 1., 1., 1., 1.])
