"""For a module with two names, `named_children` lists only the first and `_modules` lists both."""
# covers: hooks.feature-extractor

from torch import nn


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2)
        self.activation = nn.ReLU()
        self.second = nn.Linear(2, 2)
        self.last_activation = self.activation


model = Shared()
print([name for name, module in model.named_children()])
#> ['first', 'activation', 'second']
print(list(model._modules))
#> ['first', 'activation', 'second', 'last_activation']
