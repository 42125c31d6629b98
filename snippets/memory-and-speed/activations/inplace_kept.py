"""`inplace=True` saves no memory for ReLU, but one block for a function that would save its input."""
# covers: memory.relu-inplace

import torch
from torch import nn


def kept(bend):
    """The bytes that a linear layer, `bend` and another linear layer keep for backward, without weights."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 256), bend, nn.Linear(256, 10))
    weights = {p.data_ptr() for p in model.parameters()}
    sizes = {}

    def pack(tensor):
        if tensor.data_ptr() not in weights:
            sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    x = torch.randn(100, 64)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        model(x)
    return sum(sizes.values())


bars = {}
for bend in (nn.ReLU, nn.LeakyReLU, nn.ELU):
    bars[bend.__name__], bars[f"{bend.__name__}, in place"] = kept(bend()), kept(bend(inplace=True))
    print(bend.__name__, kept(bend()), kept(bend(inplace=True)))
#> ReLU 128000 128000
#> LeakyReLU 230400 128000
#> ELU 230400 128000
