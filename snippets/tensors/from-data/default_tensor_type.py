"""`set_default_tensor_type` is deprecated, and dtype and device have separate defaults."""

import torch

torch.set_default_tensor_type(torch.DoubleTensor)
#~ UserWarning: torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, ...
print(torch.tensor([1.5]).dtype)
#> torch.float64

torch.set_default_dtype(torch.float32)
torch.set_default_device("cpu")
print(torch.tensor([1.5]).dtype, torch.tensor([1.5]).device)
#> torch.float32 cpu
