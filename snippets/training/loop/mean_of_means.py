"""The mean of the batches' means is not the mean, where the last batch is shorter."""
# covers: train.validation-loop

import torch
from torch.utils.data import DataLoader

losses = torch.tensor([1.0, 1.0, 1.0, 1.0, 7.0])
batches = list(DataLoader(losses, batch_size=4))
print(sum(batch.mean() for batch in batches) / len(batches))
#> tensor(4.)
print(sum(batch.sum() for batch in batches) / len(losses))
#> tensor(2.2000)
print(losses.mean())
#> tensor(2.2000)
