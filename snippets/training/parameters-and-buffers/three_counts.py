"""A network with one shared and two unused convolutions has 9, 18 or 27 parameters."""
# covers: module.param-count.shared-9-18-27 module.param-count.function module.param-count.torchsummary module.param-count.why

import torch
from torch import nn


# region: model
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 1, 3, bias=False)
        self.conv2 = nn.Conv2d(1, 1, 3, bias=False)
        self.conv3 = nn.Conv2d(1, 1, 3, bias=False)

    def forward(self, x):
        return self.conv1(self.conv1(x))


net = Net()
# endregion


# region: registered
def count_parameters(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


print(count_parameters(net))
#> 27
# endregion


# region: per-call
def count_by_calls(model, x):
    """What torchsummary counts: a layer again for each call."""
    counts = []

    def hook(layer, args, output):
        counts.append(sum(p.numel() for p in layer.parameters()))

    handles = [layer.register_forward_hook(hook) for layer in model.children()]
    model(x)
    for handle in handles:
        handle.remove()
    return counts


counts = count_by_calls(net, torch.rand(2, 1, 16, 16))
print(counts, sum(counts))
#> [9, 9] 18
# endregion


# region: used
def count_used(model, x):
    """The parameters that a backward pass reaches, each once."""
    model.zero_grad()
    model(x).sum().backward()
    return sum(p.numel() for p in model.parameters() if p.grad is not None)


print(count_used(net, torch.rand(2, 1, 16, 16)))
#> 9
# endregion
