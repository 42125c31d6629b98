"""Without a GPU `pin_memory` warns and does nothing."""
# covers: data.pin-memory

import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.arange(4.0), batch_size=2, pin_memory=True)
print(loader.pin_memory, DataLoader(torch.arange(4.0)).pin_memory)
#> True False
batch = next(iter(loader))
#~ UserWarning: 'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.
print(batch.is_pinned())
#> False

without_cuda = "RuntimeError: Cannot access accelerator device when none is available."
with_cuda = (
    "RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU"
    " and installed a driver from http://www.nvidia.com/Download/index.aspx"
)
expected = with_cuda if torch.backends.cuda.is_built() else without_cuda
try:
    torch.ones(2).pin_memory()
except RuntimeError as error:
    message = f"RuntimeError: {error}"
print(message == expected)
#> True
