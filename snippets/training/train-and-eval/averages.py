"""In training mode, batch norm changes its averages in `forward`, even under `no_grad`."""
# covers: tricks.model-train

import torch
from torch import nn

norm = nn.BatchNorm1d(1)
x = torch.tensor([[8.0], [12.0]])
print(norm.running_mean, norm.running_var, norm.num_batches_tracked)
#> tensor([0.]) tensor([1.]) tensor(0)

with torch.no_grad():
    y = norm(x)
print(norm.running_mean, norm.running_var, norm.num_batches_tracked)
#> tensor([1.]) tensor([1.7000]) tensor(1)

norm.eval()
y = norm(x)
print(norm.running_mean, norm.num_batches_tracked)
#> tensor([1.]) tensor(1)
