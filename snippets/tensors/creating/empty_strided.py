"""`empty_strided` also sets the strides of the new tensor."""
# covers: tensor-create.empty-strided

import torch

t = torch.empty_strided((2, 3), (1, 2))
t.copy_(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
print(t)
#> tensor([[1., 2., 3.],
#>         [4., 5., 6.]])
print(t.stride(), t.is_contiguous())
#> (1, 2) False
print(torch.as_strided(t, (6,), (1,)))
#> tensor([1., 4., 2., 5., 3., 6.])
