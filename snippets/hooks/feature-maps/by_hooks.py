"""With hooks `forward` runs as it was written, so the outputs of a residual network are right as well."""
# covers: hooks.feature-extractor, hooks.forward-hook-usecase

import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.relu = nn.ReLU()
        self.second = nn.Linear(2, 2)

    def forward(self, x):
        y = self.relu(self.first(x))
        y = self.relu(self.second(y))
        return x + y


class Features:
    """Collect the outputs of the named layers while a block runs."""

    def __init__(self, model, names):
        modules = dict(model.named_modules())
        self.modules = {name: modules[name] for name in names}

    def __enter__(self):
        self.outputs = {name: [] for name in self.modules}
        self.handles = [
            module.register_forward_hook(lambda m, i, output, name=name: self.outputs[name].append(output))
            for name, module in self.modules.items()
        ]
        return self.outputs

    def __exit__(self, *error):
        for handle in self.handles:
            handle.remove()


torch.manual_seed(8)
model = Residual()
x = torch.tensor([[1.0, 2.0]])
with Features(model, ["second", "relu"]) as outputs:
    y = model(x)

for name, calls in outputs.items():
    print(name, len(calls), [c.shape[1] for c in calls])
#> second 1 [2]
#> relu 2 [2, 2]
print(torch.equal(y, x + outputs["relu"][-1]))
#> True

Features(model, ["frist"])
#! KeyError: 'frist'
