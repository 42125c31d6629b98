"""A file system in memory is a folder like any other; Linux often has one already."""
# covers: tricks.ramdisk

import os
import tempfile

import torch

folder = "/dev/shm" if os.path.isdir("/dev/shm") else None
with tempfile.TemporaryDirectory(dir=folder) as place:
    torch.save(torch.arange(3), f"{place}/x.pt")
    print(torch.load(f"{place}/x.pt"))
#> tensor([0, 1, 2])
