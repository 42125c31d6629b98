"""With batch normalization the gradients differ, because each mini-batch is normalized separately."""
# covers: memory.grad-accum.formula

import torch

torch.manual_seed(0)
x = torch.randn(8, 3, dtype=torch.float64)
w = torch.randn(8, 3, dtype=torch.float64)


def gradient(layer, parts):
    layer.weight.grad = None
    for bx, bw in parts:
        (layer(bx) * bw).sum().backward()
    return layer.weight.grad


for layer in torch.nn.LayerNorm(3).double(), torch.nn.BatchNorm1d(3).double():
    whole = gradient(layer, [(x, w)])
    halves = gradient(layer, [(x[:4], w[:4]), (x[4:], w[4:])])
    print(type(layer).__name__, torch.allclose(whole, halves))
#> LayerNorm True
#> BatchNorm1d False
