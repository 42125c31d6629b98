"""At a padded border the weight is 1/4 only if the padding is counted."""

import torch
import torch.nn.functional as F

x = torch.ones(1, 1, 2, 2, requires_grad=True)
for count in (True, False):
    y = F.avg_pool2d(x, 2, stride=2, padding=1, count_include_pad=count)
    x.grad = None
    y.sum().backward()
    print(y.flatten().tolist(), x.grad.flatten().tolist())
#> [0.25, 0.25, 0.25, 0.25] [0.25, 0.25, 0.25, 0.25]
#> [1.0, 1.0, 1.0, 1.0] [1.0, 1.0, 1.0, 1.0]

y = F.avg_pool2d(x, 2, divisor_override=1)
x.grad = None
y.sum().backward()
print(y.item(), x.grad.flatten().tolist())
#> 4.0 [1.0, 1.0, 1.0, 1.0]
