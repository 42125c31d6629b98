"""LeNet, with the shape after each step."""
# covers: module.lenet module.subclass

import torch
import torch.nn.functional as F
from torch import nn


# region: model
class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 4 * 4, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = x.flatten(1)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


# endregion
# region: shapes
net = LeNet()
x = torch.zeros(2, 1, 28, 28)
print(net(x).shape)
#> torch.Size([2, 10])

x = net.conv1(x)
print(x.shape)
#> torch.Size([2, 6, 24, 24])
x = F.max_pool2d(x, 2)
print(x.shape)
#> torch.Size([2, 6, 12, 12])
x = net.conv2(x)
print(x.shape)
#> torch.Size([2, 16, 8, 8])
x = F.max_pool2d(x, 2)
print(x.shape)
#> torch.Size([2, 16, 4, 4])
print(x.flatten(1).shape)
#> torch.Size([2, 256])
# endregion
# region: size
net(torch.zeros(2, 1, 32, 32))
#! RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x400 and 256x120)
# endregion
# region: parameters
for name, parameter in net.named_parameters():
    print(f"{name:13} {str(tuple(parameter.shape)):16} {parameter.numel():6}")
#> conv1.weight  (6, 1, 5, 5)        150
#> conv1.bias    (6,)                  6
#> conv2.weight  (16, 6, 5, 5)      2400
#> conv2.bias    (16,)                16
#> fc1.weight    (120, 256)        30720
#> fc1.bias      (120,)              120
#> fc2.weight    (84, 120)         10080
#> fc2.bias      (84,)                84
#> fc3.weight    (10, 84)            840
#> fc3.bias      (10,)                10
print(sum(parameter.numel() for parameter in net.parameters()))
#> 44426
# endregion
