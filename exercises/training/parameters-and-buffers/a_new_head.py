"""A trained network gets a new last layer, its head, and is trained further. The loss falls a little, but the new head never changes.

Repair the program so that it trains both the head and the first layer.
"""
# exercise: repair
# covers: module.parameter-registration
# about: training/modules.md#when-the-register-is-read
# hint: Print `optimizer.param_groups`. `net[2].weight` is not one of the tensors in it.
# hint: An optimizer reads the list of parameters once, when it is created.

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
assert net[2].out_features == 3, "Keep the new head, which has three answers."
assert not torch.equal(head, net[2].weight), "The head hasn't changed. `backward` computes its gradients, but no optimizer has its parameters in the list."
assert _norm is None or not _norm.any(), "The head changes, but `zero_grad` doesn't reach it, so its gradients add up from step to step."
F.cross_entropy(net(x), y).backward()
optimizer.step()
assert not torch.equal(_first, net[0].weight), "Now only the head is trained. The optimizer needs the parameters of the first layer as well."

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
