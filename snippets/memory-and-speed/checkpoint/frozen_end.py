"""The saved tensors depend on which end of a network is trained."""
# covers: memory.four-costs

import torch
from torch import nn


def kept(frozen):
    """The bytes that nodes keep for backward for 64 samples, without parameters."""
    model = nn.Sequential(nn.Linear(100, 200), nn.ReLU(), nn.Linear(200, 10))
    own = {p.data_ptr() for p in model.parameters()}
    for layer in frozen:
        model[layer].requires_grad_(False)
    sizes = {}

    def pack(tensor):
        if tensor.data_ptr() not in own:
            sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    x = torch.randn(64, 100)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        model(x)
    return sum(sizes.values())


print("both layers are trained:", kept(frozen=[]))
#> both layers are trained: 76800
print("the first is frozen:", kept(frozen=[0]))
#> the first is frozen: 51200
print("the last is frozen:", kept(frozen=[2]))
#> the last is frozen: 76800
