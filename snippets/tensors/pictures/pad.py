"""`F.pad` pads any axis, and a negative width cuts off."""
# covers: cnn.zeropad2d

import torch
import torch.nn.functional as F

image = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
print(F.pad(image, (1, 0, 0, 0)))
#> tensor([[[[0., 1., 2.],
#>           [0., 3., 4.]]]])
print(F.pad(image, (-1, 0, 0, 1), value=9.0))
#> tensor([[[[2.],
#>           [4.],
#>           [9.]]]])
