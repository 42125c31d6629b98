"""`nn.Linear` holds the same two parameters."""

from torch import nn

layer = nn.Linear(64, 10)
for name, parameter in layer.named_parameters():
    print(name, tuple(parameter.shape))
#> weight (10, 64)
#> bias (10,)
print(sum(p.numel() for p in layer.parameters()))
#> 650
