"""You give a trained network a new last layer and train on. The loss falls a little, yet the new layer is as on its first day. Repair it."""
# exercise: repair
# covers: module.parameter-registration
# about: training/modules.md#when-the-register-is-read
# hint: Which tensors are in `optimizer.param_groups`? Is `net[2].weight` one of them?

# %% start
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net[2] = nn.Linear(8, 3)
head = net[2].weight.detach().clone()

x, y = torch.randn(30, 4), torch.randint(0, 3, (30,))
for step in range(10):
    loss = F.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(torch.equal(head, net[2].weight))

# %% solution
# - optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
#   net[2] = nn.Linear(8, 3)
# + optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

# %% right: the new layer added to the list
#   net[2] = nn.Linear(8, 3)
# + optimizer.add_param_group({"params": net[2].parameters()})

# %% check
_first = net[0].weight.detach().clone()
_head = net[2].weight.detach().clone()
optimizer.zero_grad()
_norm = net[2].weight.grad
assert net[2].out_features == 3, "The network is to have its new head, with three answers."
assert not torch.equal(head, net[2].weight), "The head hasn't moved. Its gradients are there: who reads them?"
assert _norm is None or not _norm.any(), "The head moves, but `zero_grad` doesn't reach it, so its gradients add up from step to step."
F.cross_entropy(net(x), y).backward()
optimizer.step()
assert not torch.equal(_first, net[0].weight), "Now the head learns and the first layer doesn't. Both are to be trained."

# %% wrong: a step by hand
# -     optimizer.step()
# +     optimizer.step()
# +     with torch.no_grad():
# +         net[2].weight -= 0.1 * net[2].weight.grad

# %% wrong: an optimizer for the head only
# - optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
#   net[2] = nn.Linear(8, 3)
# + optimizer = torch.optim.SGD(net[2].parameters(), lr=0.1)

# %% wrong: the old head kept
# - net[2] = nn.Linear(8, 3)
