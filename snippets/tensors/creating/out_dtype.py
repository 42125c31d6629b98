"""The dtype of `out` overrides the default, and naming another one is an error."""

import torch

o_t = torch.tensor([1])
print(torch.zeros((3,), out=o_t).dtype)
#> torch.int64
torch.zeros((3,), out=o_t, dtype=torch.float32)
#! RuntimeError: dtype Float does not match dtype of out parameter (Long)
