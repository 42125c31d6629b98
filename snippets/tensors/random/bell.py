"""Count ten thousand numbers of `randn` by interval."""
# covers: tensor-random.randn

import torch

torch.manual_seed(0)
sample = torch.randn(10_000)
counts = {f"{low} to {low + 1}": ((low <= sample) & (sample < low + 1)).sum().item() for low in range(-4, 4)}
print(((-1 <= sample) & (sample < 1)).float().mean())
#> tensor(0.6805)
