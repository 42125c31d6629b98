"""Pinned memory requires an accelerator."""
# covers: tensor-create.empty

import torch

print(torch.empty(2, 3, pin_memory=torch.cuda.is_available()).shape)
#> torch.Size([2, 3])

without_cuda = (
    "RuntimeError: pin_memory=True requires a CUDA or other accelerator backend;"
    " no pinned memory allocator is available on this system."
)
with_cuda = (
    "RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU"
    " and installed a driver from http://www.nvidia.com/Download/index.aspx"
)
expected = with_cuda if torch.backends.cuda.is_built() else without_cuda
try:
    torch.empty(2, 3, pin_memory=True)
except RuntimeError as error:
    message = f"RuntimeError: {error}"
print(message == expected)
#> True
