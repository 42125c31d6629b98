"""If inputs are moved when they are needed, only one batch is on the device at a time."""
# covers: memory.lazy-to-gpu

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
data = torch.zeros(1000, 10)
most = 0
for batch in data.split(100):
    moved = batch.to(device)
    most = max(most, moved.numel())
print(most, data.numel())
#> 1000 10000
