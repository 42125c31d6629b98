"""The writer is a part of torch and needs only the package `tensorboard`."""
# engines: torch -- it is torch's own writer
# needs: tensorboard

import sys

from torch.utils.tensorboard import SummaryWriter

print(SummaryWriter.__module__)
#> torch.utils.tensorboard.writer
print("tensorboard" in sys.modules, "tensorboardX" in sys.modules)
#> True False
