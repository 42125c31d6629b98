"""Every element of a 2 by 2 window has the weight 1/4, so each receives a quarter of the error."""
# covers: cnn.avgpool-backward

import torch
import torch.nn.functional as F

x = torch.tensor([[[[1.0, 1.0], [5.0, 6.0]]]], requires_grad=True)
y = F.avg_pool2d(x, 2)
print(y)
#> tensor([[[[3.2500]]]], grad_fn=<AvgPool2DBackward0>)
delta = torch.tensor([[[[10.0]]]])  # the error that arrives
y.backward(delta)
print(x.grad)
#> tensor([[[[2.5000, 2.5000],
#>           [2.5000, 2.5000]]]])
