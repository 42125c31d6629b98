"""Without a GPU, each way to use one fails with the same message."""
# covers: gpu.device-snippet gpu.tensor-cuda-example gpu.torch-cuda

import torch
from torch import nn

without_cuda = "AssertionError: Torch not compiled with CUDA enabled"
with_cuda = (
    "RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU"
    " and installed a driver from http://www.nvidia.com/Download/index.aspx"
)
expected = with_cuda if torch.backends.cuda.is_built() else without_cuda

x = torch.ones(2)
ways = {
    "move a tensor": lambda: x.to("cuda:0"),
    "the same, shorter": lambda: x.cuda(),
    "make it here, then move": lambda: torch.rand(2, 3).cuda(),
    "make it there": lambda: torch.rand(2, 3, device="cuda"),
    "move a module": lambda: nn.Linear(2, 2).cuda(),
    "ask which GPU": lambda: torch.cuda.current_device(),
}
for name, go in ways.items():
    try:
        go()
    except (AssertionError, RuntimeError) as error:
        message = f"{type(error).__name__}: {error}"
        print(f"{name}: {'the expected message' if message == expected else message}")
#> move a tensor: the expected message
#> the same, shorter: the expected message
#> make it here, then move: the expected message
#> make it there: the expected message
#> move a module: the expected message
#> ask which GPU: the expected message
