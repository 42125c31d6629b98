"""Count the iterations of a training run."""

import torch

iterations = 0
for epoch in range(10):
    for batch in torch.randperm(1000).split(300):
        iterations += 1  # here a step would be taken
print(iterations)
#> 40
