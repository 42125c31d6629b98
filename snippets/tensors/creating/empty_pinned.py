"""Pinned memory requires an accelerator."""
# covers: tensor-create.empty

import torch

print(torch.empty(2, 3, pin_memory=torch.cuda.is_available()).shape)
#> torch.Size([2, 3])
torch.empty(2, 3, pin_memory=True)
#! RuntimeError: pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this system.
