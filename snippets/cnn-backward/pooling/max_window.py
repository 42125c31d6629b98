"""The output depends only on the largest of the four elements, so only this element receives the error."""
# covers: cnn.maxpool-backward

import torch
import torch.nn.functional as F

x = torch.tensor([[[[1.0, 1.0], [5.0, 6.0]]]], requires_grad=True)
y = F.max_pool2d(x, 2)
print(y)
#> tensor([[[[6.]]]], grad_fn=<MaxPool2DWithIndicesBackward0>)
delta = torch.tensor([[[[10.0]]]])  # the error that arrives
y.backward(delta)
print(x.grad)
#> tensor([[[[ 0.,  0.],
#>           [ 0., 10.]]]])
