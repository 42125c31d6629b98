"""A wrapper runs the children of a network one after the other and stores the outputs of those in a list."""
# covers: hooks.feature-extractor

import torch
from torch import nn


class SmallNet(nn.Module):
    """The outer layers have the names of a ResNet's."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2d(2)
        self.layer1 = nn.Sequential(nn.Conv2d(4, 6, 3, padding=1), nn.ReLU())
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(6, 5)

    def forward(self, x):
        x = self.maxpool(self.relu(self.conv1(x)))
        x = self.avgpool(self.layer1(x))
        return self.fc(torch.flatten(x, 1))


class FeatureExtractor(nn.Module):
    def __init__(self, submodule, names):
        super().__init__()
        self.submodule = submodule
        self.names = names

    def forward(self, x):
        outputs = []
        for name, module in self.submodule.named_children():
            if name == "fc":
                x = torch.flatten(x, 1)
            x = module(x)
            if name in self.names:
                outputs.append(x)
        return outputs


torch.manual_seed(0)
model = SmallNet()
x = torch.rand(1, 3, 32, 32)
names = ["conv1", "maxpool", "layer1", "avgpool", "fc"]
outputs = FeatureExtractor(model, names)(x)
for name, output in zip(names, outputs, strict=True):
    print(name, tuple(output.shape))
#> conv1 (1, 4, 16, 16)
#> maxpool (1, 4, 8, 8)
#> layer1 (1, 6, 8, 8)
#> avgpool (1, 6, 1, 1)
#> fc (1, 5)

print(outputs[4])
#> tensor([[ 0.2702,  0.3928,  0.3708, -0.3621, -0.3021]],
#>        grad_fn=<AddmmBackward0>)
print(torch.equal(outputs[4], model(x)))
#> True
