"""If the last mini-batch is shorter, the mean of the means is not the mean."""
# covers: train.validation-loop

import torch

losses = torch.tensor([1.0, 1.0, 1.0, 1.0, 7.0])
batches = losses.split(4)

print(sum(batch.mean() for batch in batches) / len(batches))
#> tensor(4.)
print(sum(batch.sum() for batch in batches) / len(losses))
#> tensor(2.2000)
