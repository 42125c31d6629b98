"""Without an argument, `squeeze` removes every axis of size 1."""
# covers: tensor-ops.table.squeeze

import torch

for batch_size in (2, 1):
    scores = torch.zeros(batch_size, 1)
    print(scores.squeeze().shape, scores.squeeze(1).shape)
#> torch.Size([2]) torch.Size([2])
#> torch.Size([]) torch.Size([1])
