"""A tensor of more than 1000 elements is printed without its middle."""
# covers: debug.printoptions-linewidth

import torch

torch.set_printoptions(linewidth=1600)
t = torch.arange(1001)
print(t)
#> tensor([   0,    1,    2,  ...,  998,  999, 1000])
torch.set_printoptions(threshold=2000, linewidth=1600)
print(len(str(t)))
#> 6038
