"""Recording saves every tensor that `backward` will need."""
# covers: graph.memory-friendly

import torch

saved = []


def pack(tensor):
    saved.append(tensor.numel())
    return tensor


w = torch.ones(1000, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    loss = w.sin().cos().exp().sum()
print(saved, sum(saved))
#> [1000, 1000, 1000] 3000

saved.clear()
with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
    with torch.no_grad():
        loss = w.sin().cos().exp().sum()
print(saved, sum(saved))
#> [] 0
