"""With the same seed, 15 and 16 normal numbers begin differently."""
# covers: rng.concept

import torch

torch.manual_seed(7)
print(torch.randn(15)[:3])
#> tensor([-0.1468,  0.7861,  0.9468])
torch.manual_seed(7)
print(torch.randn(16)[:3])
#> tensor([-0.8201,  0.3956,  0.8989])
