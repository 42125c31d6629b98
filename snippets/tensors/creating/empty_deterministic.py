"""In deterministic mode, `empty` fills floats with `nan` and integers with the largest number."""
# covers: tensor-create.empty

import torch

torch.use_deterministic_algorithms(True)
print(torch.empty(2, 3))
#> tensor([[nan, nan, nan],
#>         [nan, nan, nan]])
print(torch.empty(2, dtype=torch.int64))
#> tensor([9223372036854775807, 9223372036854775807])
