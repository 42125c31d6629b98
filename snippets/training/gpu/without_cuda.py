"""Without a GPU, each way to use one fails with the same message."""
# covers: gpu.device-snippet gpu.tensor-cuda-example gpu.torch-cuda

import torch
from torch import nn

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
    except AssertionError as error:
        print(f"{name}: {error}")
#> move a tensor: Torch not compiled with CUDA enabled
#> the same, shorter: Torch not compiled with CUDA enabled
#> make it here, then move: Torch not compiled with CUDA enabled
#> make it there: Torch not compiled with CUDA enabled
#> move a module: Torch not compiled with CUDA enabled
#> ask which GPU: Torch not compiled with CUDA enabled
