"""`fork_rng` saves and restores the state around a block."""
# covers: rng.set-rng-state

import torch

torch.manual_seed(7)
with torch.random.fork_rng():
    torch.manual_seed(0)
    print(torch.rand(2))
#> tensor([0.4963, 0.7682])
print(torch.rand(2))
#> tensor([0.5349, 0.1988])
