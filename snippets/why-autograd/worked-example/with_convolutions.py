"""The same graph with convolutions in place of plus and times."""
# covers: graph.example.model graph.example.nn-analogy

import torch
import torch.nn.functional as F

image = torch.ones(1, 1, 4, 4)
w1 = torch.full((1, 1, 3, 3), 0.1, requires_grad=True)
w2 = torch.full((1, 1, 1, 1), 0.2, requires_grad=True)
w3 = torch.full((1, 1, 1, 1), 0.3, requires_grad=True)

l1 = F.conv2d(image, w1)
l2 = F.conv2d(l1, w2)
l3 = F.conv2d(l1, w3)
l4 = l2 * l3
loss = l4.mean()
loss.backward()

print(l1)
#> tensor([[[[0.9000, 0.9000],
#>           [0.9000, 0.9000]]]], grad_fn=<ConvolutionBackward0>)
print(loss)
#> tensor(0.0486, grad_fn=<MeanBackward0>)
print(w1.grad.shape, w1.grad[0, 0, 0, 0])
#> torch.Size([1, 1, 3, 3]) tensor(0.1080)
print(w2.grad.flatten(), w3.grad.flatten())
#> tensor([0.2430]) tensor([0.1620])
