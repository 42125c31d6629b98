"""The same graph with convolutions in place of plus and times."""
# covers: graph.example.model graph.example.nn-analogy

import torch
import torch.nn.functional as F

image = torch.ones(1, 1, 4, 4)
w1 = torch.full((1, 1, 3, 3), 0.1, requires_grad=True)
w2 = torch.full((1, 1, 1, 1), 0.2, requires_grad=True)
w3 = torch.full((1, 1, 1, 1), 0.3, requires_grad=True)

stem = F.conv2d(image, w1)
left, right = F.conv2d(stem, w2), F.conv2d(stem, w3)
both = left * right
loss = both.mean()
loss.backward()

print(stem)
#> tensor([[[[0.9000, 0.9000],
#>           [0.9000, 0.9000]]]], grad_fn=<ConvolutionBackward0>)
print(loss)
#> tensor(0.0486, grad_fn=<MeanBackward0>)
print(w1.grad.shape, w1.grad[0, 0, 0, 0])
#> torch.Size([1, 1, 3, 3]) tensor(0.1080)
print(w2.grad.flatten(), w3.grad.flatten())
#> tensor([0.2430]) tensor([0.1620])
