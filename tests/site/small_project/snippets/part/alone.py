"""On PyTorch alone."""
# covers: theory.later
# engines: torch -- only it has `compile`

import torch

print(torch.__name__)
#> torch
torch.ones(2, 3) @ torch.ones(2)
#! RuntimeError: size mismatch, got input (2), mat (2x3), vec (2)
