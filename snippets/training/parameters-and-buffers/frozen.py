"""The filter on `requires_grad` leaves out frozen parameters, and neither count includes buffers."""
# covers: module.param-count.function

from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
print(sum(p.numel() for p in net.parameters() if p.requires_grad))
#> 74

net[0].requires_grad_(False)
print(sum(p.numel() for p in net.parameters() if p.requires_grad))
#> 34
print(sum(p.numel() for p in net.parameters()))
#> 74
print(sum(b.numel() for b in net.buffers()))
#> 17
