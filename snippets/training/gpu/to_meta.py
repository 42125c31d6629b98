"""A move to another kind of device keeps the modules but creates new parameters."""
# covers: gpu.module-to
# engines: torch -- reference_impl has no device meta; it stands in for a GPU here

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
net.plain = torch.ones(2)
layer, weight = net[0], net[0].weight
net.to("meta")
print({str(t.device) for t in [*net.parameters(), *net.buffers()]}, net.plain.device)
#> {'meta'} cpu
print(net[0] is layer, net[0].weight is weight)
#> True False

net.to("cpu")
#! NotImplementedError: Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from meta to a different device.
