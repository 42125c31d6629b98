"""`torch.rand(2, 3).cuda()` draws its numbers on the CPU and copies them."""
# covers: gpu.tensor-cuda-example

import torch

torch.manual_seed(0)
first = torch.rand(2, 3)
print(first)
#> tensor([[0.4963, 0.7682, 0.0885],
#>         [0.1320, 0.3074, 0.6341]])

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
print(torch.rand(2, 3).to(device).cpu().equal(first))
#> True
print(first.is_cuda)
#> False
