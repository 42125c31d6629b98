"""LeNet turns a picture into ten logits, with two convolutions and three linear layers."""
# covers: module.lenet module.subclass

import torch
from torch import nn
from torch.nn import functional as F


# region: model
def halve(x):
    return F.max_pool2d(F.relu(x), 2)


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.hidden = nn.ModuleList([nn.Linear(16 * 4 * 4, 120), nn.Linear(120, 84)])
        self.scores = nn.Linear(84, 10)

    def forward(self, pictures):
        x = halve(self.conv1(pictures))
        x = halve(self.conv2(x)).flatten(1)
        for layer in self.hidden:
            x = F.relu(layer(x))
        return self.scores(x)


# endregion
# region: shapes
net = LeNet()
x = torch.zeros(2, 1, 28, 28)
print(net(x).shape)
#> torch.Size([2, 10])

for step in net.conv1, halve, net.conv2, halve:
    x = step(x)
    print(x.shape)
#> torch.Size([2, 6, 24, 24])
#> torch.Size([2, 6, 12, 12])
#> torch.Size([2, 16, 8, 8])
#> torch.Size([2, 16, 4, 4])
print(x.flatten(1).shape)
#> torch.Size([2, 256])
# endregion
# region: parameters
for name, parameter in net.named_parameters():
    print(f"{name:15} {str(tuple(parameter.shape)):16} {parameter.numel():6}")
#> conv1.weight    (6, 1, 5, 5)        150
#> conv1.bias      (6,)                  6
#> conv2.weight    (16, 6, 5, 5)      2400
#> conv2.bias      (16,)                16
#> hidden.0.weight (120, 256)        30720
#> hidden.0.bias   (120,)              120
#> hidden.1.weight (84, 120)         10080
#> hidden.1.bias   (84,)                84
#> scores.weight   (10, 84)            840
#> scores.bias     (10,)                10
print(sum(parameter.numel() for parameter in net.parameters()))
#> 44426
# endregion
# region: size
net(torch.zeros(2, 1, 32, 32))
#! RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x400 and 256x120)
# endregion
