"""A convolution equals `unfold` and one matrix product."""
# covers: tensor-ops.unfold

import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 3, 10, 12)
w = torch.randn(2, 3, 4, 5)
out = (w.view(2, -1) @ F.unfold(x, (4, 5))).view(2, 2, 7, 8)
print(torch.allclose(out, F.conv2d(x, w), atol=1e-4))
#> True
