"""Strides say how far apart in the storage the indices of an axis are."""
# covers: tensor-props.is-contiguous

import torch

t = torch.tensor([[0, 1, 2], [3, 4, 5]])
print(t.stride())
#> (3, 1)
i, j = 1, 2
position = i * t.stride(0) + j * t.stride(1)
print(position, t.reshape(-1)[position], t[i, j])
#> 5 tensor(5) tensor(5)
