"""What `no_grad()` saves can be counted: the tensors that backward would need."""
# covers: autograd.no-grad

import torch

kept = []


def pack(tensor):
    kept.append(tensor.numel())
    return tensor


layer = torch.nn.Linear(100, 100)
x = torch.ones(8, 100)
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    y = torch.relu(layer(x))
print(sum(kept))
#> 1600

kept.clear()
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor), torch.no_grad():
    y = torch.relu(layer(x))
print(sum(kept))
#> 0
