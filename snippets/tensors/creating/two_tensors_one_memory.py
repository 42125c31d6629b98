"""Two tensors that share memory are two objects."""
# covers: tensor-create.zeros.out-example

import torch

a = torch.zeros(3)
b = a.view(3)
b[0] = 5.0
print(a)
#> tensor([5., 0., 0.])
print(a is b, a.data_ptr() == b.data_ptr())
#> False True
