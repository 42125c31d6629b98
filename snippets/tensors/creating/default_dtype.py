"""`zeros` uses the default dtype, which a program can change."""
# covers: tensor-create.zeros

import torch

print(torch.zeros(2).dtype)
#> torch.float32
torch.set_default_dtype(torch.float64)
print(torch.zeros(2).dtype)
#> torch.float64
torch.set_default_dtype(torch.float32)
torch.zeros(2, torch.int64)
#! TypeError: zeros(): argument ...
