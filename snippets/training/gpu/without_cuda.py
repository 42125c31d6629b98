"""Without a GPU each way to it fails, with the same message."""
# covers: gpu.device-snippet gpu.tensor-cuda-example gpu.torch-cuda

import torch
from torch import nn

x = torch.ones(2)
x.to("cuda:0")
#! AssertionError: Torch not compiled with CUDA enabled
x.cuda()
#! AssertionError: Torch not compiled with CUDA enabled
torch.rand(2, 3).cuda()
#! AssertionError: Torch not compiled with CUDA enabled
torch.rand(2, 3, device="cuda")
#! AssertionError: Torch not compiled with CUDA enabled
nn.Linear(2, 2).cuda()
#! AssertionError: Torch not compiled with CUDA enabled
torch.cuda.current_device()
#! AssertionError: Torch not compiled with CUDA enabled
