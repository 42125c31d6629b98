"""`bmm` wants three axes and equal batch sizes; `matmul` stretches."""
# covers: tensor-ops.bmm

import torch

a = torch.ones(10, 3, 4)
torch.bmm(a, torch.ones(4, 5))
#! RuntimeError: batch2 must be a 3D tensor
torch.bmm(a, torch.ones(1, 4, 5))
#! RuntimeError: Expected size for first two dimensions of batch2 tensor to be: [10, 4] but got: [1, 4].
print(torch.matmul(a, torch.ones(4, 5)).shape)
#> torch.Size([10, 3, 5])
print(torch.matmul(a, torch.ones(1, 4, 5)).shape)
#> torch.Size([10, 3, 5])
