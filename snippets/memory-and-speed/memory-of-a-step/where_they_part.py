"""Three models with the same outputs have the same estimate and different counts."""
# covers: memory.modelsize-snippet memory.estimate-formula

import torch
from torch import nn


class TwoLines(nn.Module):
    """GELU by its usual approximation, written out."""

    def forward(self, x):
        inner = torch.tanh(0.7979 * (x + 0.0447 * x**3))
        return 0.5 * x * (1 + inner)


def estimate(model, batch):
    """The second term of the formula, in bytes: all outputs, twice; `model` is a chain."""
    numbers, x = 0, batch
    for layer in model:
        x = layer(x)
        numbers += x.numel()
    return 2 * numbers * 4


def kept(model, batch):
    """The bytes that nodes keep for backward, without parameters and the input, each memory once."""
    known = {t.data_ptr() for t in (batch, *model.parameters())}
    sizes = {}

    def pack(tensor):
        if tensor.data_ptr() not in known:
            sizes[tensor.data_ptr()] = tensor.numel() * tensor.element_size()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        model(batch)
    return sum(sizes.values())


torch.manual_seed(0)
batch = torch.randn(64, 100)
bars = {}
for bend in (nn.ReLU(), nn.GELU(), TwoLines()):
    model = nn.Sequential(nn.Linear(100, 50), bend, nn.Linear(50, 10))
    name, guess, count = type(bend).__name__, estimate(model, batch), kept(model, batch)
    bars |= {f"{name}, estimated": guess, f"{name}, kept": count}
    print(name, guess, count)
#> ReLU 56320 12800
#> GELU 56320 25600
#> TwoLines 56320 64000
