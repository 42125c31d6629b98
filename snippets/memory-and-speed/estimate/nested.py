"""`modules()` lists a container and its contents, so feeding the input through all of them counts twice."""
# covers: memory.modelsize-snippet

import torch
from torch import nn

model = nn.Sequential(nn.Sequential(nn.Linear(4, 4), nn.ReLU()), nn.Linear(4, 4))
print([type(m).__name__ for m in model.modules()])
#> ['Sequential', 'Sequential', 'Linear', 'ReLU', 'Linear']
print([type(m).__name__ for m in model.modules() if not list(m.children())])
#> ['Linear', 'ReLU', 'Linear']
