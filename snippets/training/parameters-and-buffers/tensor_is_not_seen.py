"""A tensor that is not a `Parameter` is neither trained nor saved."""
# covers: module.parameter-registration

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = nn.Parameter(torch.ones(2))
        self.unseen = torch.ones(2, requires_grad=True)

    def forward(self, x):
        return (x * self.seen * self.unseen).sum()


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.ones(2)).backward()
optimizer.step()
print(net.seen)
#> Parameter containing:
#> tensor([0.9000, 0.9000], requires_grad=True)
print(net.unseen, net.unseen.grad)
#> tensor([1., 1.], requires_grad=True) tensor([1., 1.])

optimizer.zero_grad()
print(net.seen.grad, net.unseen.grad)
#> None tensor([1., 1.])
print(list(net.state_dict()))
#> ['seen']
