"""The class `torch.Tensor` takes an integer for a size."""
# covers: tensor-create.Tensor-vs-tensor

import torch

print(torch.tensor(3))
#> tensor(3)
print(torch.Tensor(3).shape)
#> torch.Size([3])
torch.Tensor(3.5)
#! TypeError: new(): data must be a sequence (got float)
