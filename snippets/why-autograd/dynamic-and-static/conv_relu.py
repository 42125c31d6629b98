"""PyTorch's class for a fused convolution and ReLU still runs one after the other."""
# covers: graph.static-efficiency
# engines: torch -- torch.ao.quantization is outside the engine's scope

import torch
from torch.ao.quantization import fuse_modules

model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU()).eval()
fused = fuse_modules(model, ["0", "1"])

print([type(module).__name__ for module in fused])
#> ['ConvReLU2d', 'Identity']
print(isinstance(fused[0], torch.nn.Sequential))
#> True
print([type(module).__name__ for module in fused[0]])
#> ['Conv2d', 'ReLU']
