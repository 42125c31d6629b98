"""The state of an optimizer contains numbered parameters and the settings."""
# covers: save.checkpoint save.load

import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
print(optimizer.state_dict()["state"])
#> {}

model(torch.ones(1, 2)).sum().backward()
optimizer.step()
state = optimizer.state_dict()
print({number: sorted(entry) for number, entry in state["state"].items()})
#> {0: ['exp_avg', 'exp_avg_sq', 'step'], 1: ['exp_avg', 'exp_avg_sq', 'step']}
print(state["param_groups"][0]["params"], state["param_groups"][0]["lr"])
#> [0, 1] 0.1

slower = torch.optim.Adam(model.parameters(), lr=0.001)
slower.load_state_dict(state)
print(slower.param_groups[0]["lr"])
#> 0.1

one = torch.optim.Adam([model.weight])
one.load_state_dict(state)
#! ValueError: loaded state dict contains a parameter group that doesn't match the size of optimizer's group
