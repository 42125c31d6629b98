"""`initial_seed` returns the seed that was set last, whatever was drawn since."""
# covers: rng.initial-seed

import torch

torch.manual_seed(1)
torch.manual_seed(42)
_ = torch.rand(1000)
print(torch.initial_seed())
#> 42
