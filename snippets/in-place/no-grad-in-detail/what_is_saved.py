"""What `no_grad()` saves: the tensors that the nodes would keep for the backward pass."""
# covers: autograd.no-grad

import torch

sizes = []


def pack(tensor):
    sizes.append(tensor.numel())
    return tensor


layer = torch.nn.Linear(100, 100)
x = torch.ones(8, 100)
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    y = torch.relu(layer(x))
print(sum(sizes))
#> 1600

sizes.clear()
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor), torch.no_grad():
    y = torch.relu(layer(x))
print(sum(sizes))
#> 0
