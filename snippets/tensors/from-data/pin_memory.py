"""Pinned memory exists for copies to an accelerator; without one the argument is an error."""

import torch

print(torch.tensor([1.0, 2.0]).is_pinned())
#> False
torch.tensor([1.0, 2.0], pin_memory=True)
#! RuntimeError: pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this system.
