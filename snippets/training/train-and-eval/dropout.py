"""In training mode, dropout sets numbers to zero and scales the others; in evaluation mode it returns its input."""
# covers: tricks.model-eval tricks.model-train

import torch
from torch import nn

torch.manual_seed(0)
dropout = nn.Dropout(0.5)
x = torch.ones(8)
print(dropout(x))
#> tensor([0., 0., 2., 0., 0., 0., 2., 2.])

dropout.eval()
print(dropout(x))
#> tensor([1., 1., 1., 1., 1., 1., 1., 1.])
print(dropout(x) is x)
#> True

dropout.train()
print(dropout(x))
#> tensor([0., 2., 2., 2., 2., 0., 2., 2.])
