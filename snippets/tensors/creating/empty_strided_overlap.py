"""With overlapping strides, one write changes two elements."""

import torch

# region: zeros
t = torch.empty_strided((3, 2), (1, 1))
t.zero_()
# endregion
print(t.numel(), t.untyped_storage().nbytes() // t.element_size())
#> 6 4
t[0, 1] = 5.0
print(t)
#> tensor([[0., 5.],
#>         [5., 0.],
#>         [0., 0.]])
