"""`bmm` requires three axes and equal batch sizes, and `matmul` broadcasts."""
# covers: tensor-ops.bmm

import torch

a = torch.ones(10, 3, 4)
for b in torch.ones(4, 5), torch.ones(1, 4, 5):
    print(torch.matmul(a, b).shape)
    try:
        torch.bmm(a, b)
    except RuntimeError as error:
        print(error)
#> torch.Size([10, 3, 5])
#> batch2 must be a 3D tensor
#> torch.Size([10, 3, 5])
#> Expected size for first two dimensions of batch2 tensor to be: [10, 4] but got: [1, 4].
