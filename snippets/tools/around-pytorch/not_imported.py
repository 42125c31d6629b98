"""`torch.utils.tensorboard` must be imported by its own name."""
# engines: torch -- the engine has no TensorBoard
# needs: tensorboard

import sys

import torch

print("torch.utils.data" in sys.modules, "torch.utils.tensorboard" in sys.modules)
#> True False
