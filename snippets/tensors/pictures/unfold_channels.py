"""A column of `F.unfold` holds a patch with all its channels."""
# covers: tensor-ops.unfold

import torch
import torch.nn.functional as F

print(F.unfold(torch.zeros(2, 3, 10, 12), kernel_size=(4, 5)).shape)
#> torch.Size([2, 60, 56])
print(3 * 4 * 5, (10 - 4 + 1) * (12 - 5 + 1))
#> 60 56
F.unfold(torch.zeros(1, 3, 4, 4, 4), 2)
#! RuntimeError: Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: [1, 3, 4, 4, 4]
