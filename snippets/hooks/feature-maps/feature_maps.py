"""One forward hook per layer collects the feature maps of a small network."""
# covers: hooks.forward-hook-usecase

import torch
from torch import nn

model = nn.Sequential()
model.add_module("conv1", nn.Conv2d(1, 2, 3, padding=1, bias=False))
model.add_module("relu1", nn.ReLU())
model.add_module("pool1", nn.MaxPool2d(2))

# Two kernels chosen by hand: one for edges from left to right, one for edges from top to bottom.
edge = torch.tensor([[-1.0, 0.0, 1.0]] * 3)
with torch.no_grad():
    model.conv1.weight.copy_(torch.stack([edge, edge.t()]).unsqueeze(1))

maps = {}


def keep_as(name):
    def hook(module, inputs, output):
        maps[name] = output.detach().clone()

    return hook


handles = [module.register_forward_hook(keep_as(name)) for name, module in model.named_children()]
image = torch.zeros(1, 1, 6, 6)
image[0, 0, :, 3:] = 1.0  # Dark on the left, bright on the right.
model(image)
for handle in handles:
    handle.remove()

for name, feature_map in maps.items():
    positive = (feature_map > 0).sum().item()
    print(name, tuple(feature_map.shape), positive, "of", feature_map.numel(), "positive")
#> conv1 (1, 2, 6, 6) 16 of 72 positive
#> relu1 (1, 2, 6, 6) 16 of 72 positive
#> pool1 (1, 2, 3, 3) 5 of 18 positive

print(maps["conv1"][0, 0])
#> tensor([[ 0.,  0.,  2.,  2.,  0., -2.],
#>         [ 0.,  0.,  3.,  3.,  0., -3.],
#>         [ 0.,  0.,  3.,  3.,  0., -3.],
#>         [ 0.,  0.,  3.,  3.,  0., -3.],
#>         [ 0.,  0.,  3.,  3.,  0., -3.],
#>         [ 0.,  0.,  2.,  2.,  0., -2.]])
print(maps["pool1"])
#> tensor([[[[0., 3., 0.],
#>           [0., 3., 0.],
#>           [0., 3., 0.]],
#>
#>          [[0., 2., 3.],
#>           [0., 0., 0.],
#>           [0., 0., 0.]]]])
