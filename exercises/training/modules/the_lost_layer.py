"""The network trains without an error, and its hidden layers never move. Repair it, so that training reaches every layer and the state dict holds them all."""
# exercise: repair
# covers: module.parameter-registration
# about: training/modules.md#what-isnt-filed-isnt-trained
# hint: Print the names in `net.state_dict()`. Which layers are missing?
# hint: A module looks at its attributes. It takes in modules and Parameters, and doesn't look into lists.

# %% start
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [nn.Linear(4, 8), nn.Linear(8, 8)]
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.tanh(layer(x))
        return self.out(x)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(20, 4), torch.randint(0, 3, (20,))
before = [layer.weight.detach().clone() for layer in net.hidden]

for step in range(10):
    loss = F.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print([not torch.equal(old, layer.weight) for old, layer in zip(before, net.hidden)])

# %% solution
# -         self.hidden = [nn.Linear(4, 8), nn.Linear(8, 8)]
# +         self.hidden = nn.ModuleList([nn.Linear(4, 8), nn.Linear(8, 8)])

# %% right: an attribute for each
# -         self.hidden = [nn.Linear(4, 8), nn.Linear(8, 8)]
# +         self.first = nn.Linear(4, 8)
# +         self.second = nn.Linear(8, 8)
# +         self.hidden = [self.first, self.second]

# %% check
_moved = [not torch.equal(_old, _layer.weight) for _old, _layer in zip(before, net.hidden, strict=True)]
assert all(_moved), "A hidden layer is where it was before the first step. Does `net.parameters()` know it?"
assert sum(_value.numel() for _value in net.state_dict().values()) == 139, "Now the layers move. But save this network, and load it tomorrow: the state dict lacks what the network itself doesn't know."
_old = [_p.detach().clone() for _p in net.parameters()]
optimizer.zero_grad()
F.cross_entropy(net(x), y).backward()
_grads = [_p.grad.clone() for _p in net.parameters()]
optimizer.step()
assert all(torch.allclose(_p, _o - 0.1 * _g, atol=1e-6) for _p, _o, _g in zip(net.parameters(), _old, _grads, strict=True)), "Some weights take a step of another size than the others. Is a layer stepped twice, or by another optimizer?"

# %% wrong: given to the optimizer by hand
# - optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
# + everything = [*net.parameters(), *(p for layer in net.hidden for p in layer.parameters())]
# + optimizer = torch.optim.SGD(everything, lr=0.1)

# %% wrong: a larger step
# -         self.hidden = [nn.Linear(4, 8), nn.Linear(8, 8)]
# +         self.hidden = nn.ModuleList([nn.Linear(4, 8), nn.Linear(8, 8)])

# - optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
# + optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
