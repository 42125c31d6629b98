"""The same network saves no tensors under `no_grad`."""
# covers: memory.test-no-grad

import torch

model = torch.nn.Sequential(torch.nn.Linear(10, 10), torch.nn.Sigmoid(), torch.nn.Linear(10, 1))
kept = []


def pack(tensor):
    kept.append(tuple(tensor.shape))
    return tensor


with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    y = model(torch.ones(1, 10))
print(y.requires_grad, len(kept))
#> True 4

kept.clear()
with torch.no_grad(), torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    y = model(torch.ones(1, 10))
print(y.requires_grad, len(kept))
#> False 0
