"""`torch.tensor` is a function that copies data, and `torch.Tensor` is the class."""
# covers: tensor-create.Tensor-vs-tensor

import torch

print(isinstance(torch.Tensor, type), isinstance(torch.zeros(1), torch.Tensor))
#> True True
print(callable(torch.tensor), isinstance(torch.tensor, type))
#> True False

print(torch.tensor([1, 2]))
#> tensor([1, 2])
print(torch.Tensor([1, 2]))
#> tensor([1., 2.])
