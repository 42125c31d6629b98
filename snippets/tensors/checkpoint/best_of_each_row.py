"""A maximum removes its axis, and broadcasting treats the vector as a row."""
# covers: tensor-ops.broadcast

import torch

scores = torch.tensor([[9, 1], [8, 2]])
best = scores.max(1).values
print(best)
#> tensor([9, 8])
print(scores == best)
#> tensor([[ True, False],
#>         [False, False]])
print(scores == best[:, None])
#> tensor([[ True, False],
#>         [ True, False]])
