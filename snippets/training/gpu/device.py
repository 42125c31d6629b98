"""A device object can be created without a GPU, but no tensor can be put there."""
# covers: gpu.device-snippet gpu.torch-cuda

import torch

cpu = torch.device("cpu")
gpu = torch.device("cuda:0")
print(cpu, gpu, gpu.type, gpu.index)
#> cpu cuda:0 cuda 0
print(torch.device("cuda"), torch.device("cuda") == gpu)
#> cuda False

x = torch.ones(2)
print(x.device, x.to(cpu) is x)
#> cpu True
print(torch.cuda.is_available(), torch.cuda.device_count())
#> False 0
