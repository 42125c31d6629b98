"""The outputs come in the order of the layers, whatever the order of the names."""
# covers: hooks.feature-extractor

import torch
from torch import nn


class FeatureExtractor(nn.Module):
    def __init__(self, submodule, names):
        super().__init__()
        self.submodule = submodule
        self.names = names

    def forward(self, x):
        outputs = []
        for name, module in self.submodule.named_children():
            x = module(x)
            if name in self.names:
                outputs.append(x)
        return outputs


model = nn.Sequential()
model.add_module("first", nn.Linear(2, 3))
model.add_module("second", nn.Linear(3, 4))

outputs = FeatureExtractor(model, ["second", "first"])(torch.ones(1, 2))
print([tuple(output.shape) for output in outputs])
#> [(1, 3), (1, 4)]

# A name that doesn't exist goes unnoticed.
print(len(FeatureExtractor(model, ["frist"])(torch.ones(1, 2))))
#> 0
