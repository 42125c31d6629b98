"""With batch normalisation it is not the same: each mini-batch is normalised by itself."""
# covers: memory.grad-accum.formula

import torch

torch.manual_seed(0)
x = torch.randn(8, 3, dtype=torch.float64)
norm = torch.nn.BatchNorm1d(3).double()
w = torch.randn(8, 3, dtype=torch.float64)


def gradient(parts):
    norm.weight.grad = None
    for bx, bw in parts:
        (norm(bx) * bw).sum().backward()
    return norm.weight.grad


whole = gradient([(x, w)])
halves = gradient(zip(x.chunk(2), w.chunk(2)))
print(torch.allclose(whole, halves))
#> False
