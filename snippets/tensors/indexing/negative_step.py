"""A slice cannot run backwards, but `flip` copies in reverse order."""
# covers: tensor-ops.indexing

import torch

t = torch.arange(4)
print(t.flip(0))
#> tensor([3, 2, 1, 0])
t[::-1]
#! ValueError: step must be greater than zero
