"""A tensor with several booleans is neither true nor false; `any` and `all` make a single one of them."""

import torch

x = torch.tensor([1.0, -2.0])
print(x > 0)
#> tensor([ True, False])
print((x > 0).any(), (x > 0).all())
#> tensor(True) tensor(False)
if x > 0:
    print("positive")
#! RuntimeError: Boolean value of Tensor with more than one value is ambiguous
