"""The result has the wider of two dtypes, which an in-place operation cannot store."""

import torch

whole = torch.tensor([1, 2, 3])
print(whole / 2, whole // 2)
#> tensor([0.5000, 1.0000, 1.5000]) tensor([0, 1, 1])
print(whole + torch.tensor([0.5, 0.5, 0.5]))
#> tensor([1.5000, 2.5000, 3.5000])
print((torch.ones(2) + torch.ones(2, dtype=torch.float64)).dtype)
#> torch.float64
whole += 0.5
#! RuntimeError: result type Float can't be cast to the desired output type Long
