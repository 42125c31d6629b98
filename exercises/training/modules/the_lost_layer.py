"""This network trains without an error, but its two hidden layers never change.

Repair it, so that the optimizer updates all three layers and the state dict contains their 139 numbers.
"""
# exercise: repair
# covers: module.parameter-registration
# about: training/modules.md#what-isnt-filed-isnt-trained
# hint: Print the names in `net.state_dict()`. Those of the hidden layers are missing.
# hint: A module registers the modules and parameters among its attributes. It doesn't look into lists.

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

# %% right: an attribute for each, and no list
# -         self.hidden = [nn.Linear(4, 8), nn.Linear(8, 8)]
# +         self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 8)

# -         for layer in self.hidden:
# -             x = torch.tanh(layer(x))
# +         x = torch.tanh(self.second(torch.tanh(self.first(x))))

# - before = [layer.weight.detach().clone() for layer in net.hidden]
# + before = [layer.weight.detach().clone() for layer in (net.first, net.second)]

# - print([not torch.equal(old, layer.weight) for old, layer in zip(before, net.hidden)])
# + print([not torch.equal(old, layer.weight) for old, layer in zip(before, (net.first, net.second))])

# %% check
_layers = getattr(net, "hidden", None) or [_module for _module in net.modules() if isinstance(_module, nn.Linear)][:2]
_moved = [not torch.equal(_old, _layer.weight) for _old, _layer in zip(before, _layers, strict=True)]
assert all(_moved), "A hidden layer has the same weights as before the first step, so the optimizer doesn't know it. Is it in `net.parameters()`?"
assert sum(_value.numel() for _value in net.state_dict().values()) == 139, "Now all layers change, but the state dict doesn't have 139 numbers. If you save it, the hidden layers are lost, because the network itself hasn't registered them."
_old = [_p.detach().clone() for _p in net.parameters()]
optimizer.zero_grad()
F.cross_entropy(net(x), y).backward()
_grads = [_p.grad.clone() for _p in net.parameters()]
optimizer.step()
assert all(torch.allclose(_p, _o - 0.1 * _g, atol=1e-6) for _p, _o, _g in zip(net.parameters(), _old, _grads, strict=True)), "The step of some weights isn't 0.1 times their gradient. Keep the learning rate, and let one optimizer update each layer once."

# %% wrong: added to the optimizer by hand
# - optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
# + everything = [*net.parameters(), *(p for layer in net.hidden for p in layer.parameters())]
# + optimizer = torch.optim.SGD(everything, lr=0.1)

# %% wrong: a larger step
# -         self.hidden = [nn.Linear(4, 8), nn.Linear(8, 8)]
# +         self.hidden = nn.ModuleList([nn.Linear(4, 8), nn.Linear(8, 8)])

# - optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
# + optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
