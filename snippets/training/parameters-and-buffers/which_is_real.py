"""The unused layers are in the file, in memory and in the optimizer, but training doesn't change them."""
# covers: module.param-count.why

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 1, 3, bias=False)
        self.conv2 = nn.Conv2d(1, 1, 3, bias=False)
        self.conv3 = nn.Conv2d(1, 1, 3, bias=False)

    def forward(self, x):
        return self.conv1(self.conv1(x))


net = Net()
print(list(net.state_dict()))
#> ['conv1.weight', 'conv2.weight', 'conv3.weight']
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
print(sum(p.numel() for p in optimizer.param_groups[0]["params"]))
#> 27

before = {name: p.detach().clone() for name, p in net.named_parameters()}
net(torch.rand(1, 1, 16, 16)).mean().backward()
optimizer.step()
print([name for name, p in net.named_parameters() if not p.equal(before[name])])
#> ['conv1.weight']
