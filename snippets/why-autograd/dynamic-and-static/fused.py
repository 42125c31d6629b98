"""A static graph can be rewritten; here a batch norm is merged into its convolution."""
# covers: graph.static-efficiency
# engines: torch -- torch.fx rewrites graphs, which the engine does not have

import torch
from torch.fx.experimental.optimization import fuse

torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Conv2d(1, 4, 3),
    torch.nn.BatchNorm2d(4),
    torch.nn.ReLU(),
).eval()
fused = fuse(model)

print([type(module).__name__ for module in model])
#> ['Conv2d', 'BatchNorm2d', 'ReLU']
print([type(module).__name__ for module in fused.children()])
#> ['Conv2d', 'ReLU']

image = torch.randn(1, 1, 8, 8)
print(torch.allclose(model(image), fused(image), atol=1e-6))
#> True
