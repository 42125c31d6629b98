"""Pinning needs an accelerator, however much memory the machine has."""
# covers: tensor-create.empty

import torch

torch.empty(2, 3, pin_memory=True)
#! RuntimeError: pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this system.
