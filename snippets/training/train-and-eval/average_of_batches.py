"""The running mean follows the batches, a tenth of the way each time."""
# covers: tricks.model-train

import torch
from torch import nn

torch.manual_seed(0)
norm = nn.BatchNorm1d(1)
of_batch, running = [], []
for _ in range(40):
    x = 3 + 2 * torch.randn(16, 1)
    norm(x)
    of_batch.append(x.mean().item())
    running.append(norm.running_mean.item())
for number in 0, 1, 9, 39:
    print(number, f"{of_batch[number]:.2f} {running[number]:.2f}")
#> 0 2.76 0.28
#> 1 3.27 0.58
#> 9 2.93 1.96
#> 39 2.66 3.05
