"""One call seeds the CPU and every CUDA device."""
# covers: rng.cuda-separate
# engines: torch -- the device generators are torch's own
# needs: cuda

import torch

_ = torch.manual_seed(42)
print(torch.initial_seed())
#> 42
print(torch.cuda.initial_seed())
#! AssertionError: Torch not compiled with CUDA enabled
