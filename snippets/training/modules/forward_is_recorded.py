"""Forward builds the graph; the backward pass follows from it."""
# covers: module.forward-auto-backward

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2, bias=False)
        nn.init.ones_(self.layer.weight)

    def forward(self, x, times):
        for _ in range(times):  # Python decides, at each call
            x = self.layer(x)
            if x.sum() > 10:
                x = x / 10
        return x.sum()


net = Net()
for times in 1, 2, 3:
    net.zero_grad()
    out = net(torch.ones(1, 2), times)
    out.backward()
    print(times, out.item(), net.layer.weight.grad)
#> 1 4.0 tensor([[1., 1.],
#>         [1., 1.]])
#> 2 8.0 tensor([[4., 4.],
#>         [4., 4.]])
#> 3 1.600000023841858 tensor([[1.2000, 1.2000],
#>         [1.2000, 1.2000]])

print(type(out).__name__, torch.autograd.Variable(out) is out, isinstance(out, torch.autograd.Variable))
#> Tensor False True
