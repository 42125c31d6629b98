"""Running the children one by one gives a wrong result if the network is not a chain, without an error."""
# covers: hooks.feature-extractor

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
        y = self.relu(self.second(y))  # relu is used twice, and registered once.
        return x + y  # The sum is no module at all.


torch.manual_seed(8)
model = Residual()
x = torch.tensor([[1.0, 2.0]])

y = x
for module in model.children():
    y = module(y)
print(y)
#> tensor([[1.0530, 0.2422]], grad_fn=<AddmmBackward0>)
print(model(x))
#> tensor([[2.0530, 2.2422]], grad_fn=<AddBackward0>)
