"""A tensor is an n-dimensional array with a fixed shape, one dtype and a device."""
# covers: tensor-props.definition tensor-props.role

import torch

t = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
print(t)
#> tensor([[1., 2., 3.],
#>         [4., 5., 6.]])
print(t.shape, t.ndim, t.numel())
#> torch.Size([2, 3]) 2 6
print(t.dtype, t.device)
#> torch.float32 cpu
print(t @ t.T)
#> tensor([[14., 32.],
#>         [32., 77.]])
