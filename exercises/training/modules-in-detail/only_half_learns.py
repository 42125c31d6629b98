"""The loss falls, but half of this network never learns: `net.first.weight.grad` is `None` after every backward pass. Repair `forward`.

Limit the numbers to the range from −2 to 2, as before.
"""
# exercise: repair
# covers: module.forward-auto-backward
# about: training/modules-in-detail.md#when-nothing-follows
# hint: Print `h.grad_fn` after each line of `forward`.
# hint: `tolist` returns Python numbers, and `torch.tensor` makes a new tensor without a graph from them.

# %% start
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 1)

    def forward(self, x):
        h = self.first(x)
        h = torch.tensor([[min(max(v, -2.0), 2.0) for v in row] for row in h.tolist()])
        return self.second(h)


torch.manual_seed(0)
net, x, y = Net(), torch.randn(20, 3), torch.randn(20, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(20):
    optimizer.zero_grad()
    loss = (net(x) - y).square().mean()
    loss.backward()
    optimizer.step()
print(loss.item(), net.first.weight.grad)

# %% solution
# -         h = torch.tensor([[min(max(v, -2.0), 2.0) for v in row] for row in h.tolist()])
# +         h = h.clamp(-2, 2)

# %% right: two steps
# -         h = torch.tensor([[min(max(v, -2.0), 2.0) for v in row] for row in h.tolist()])
# +         h = torch.where(h > 2, 2.0, h)
# +         h = torch.where(h < -2, -2.0, h)

# %% check
torch.manual_seed(1)
_net, _x = Net(), torch.randn(50, 3) * 5
_h = _net.first(_x).detach()
_out = _net(_x)
_out.sum().backward()
_wanted = _net.second(_h.clamp(-2, 2)).detach()
assert _net.first.weight.grad is not None, "The first layer still has no gradient. A new leaf in the middle cuts the graph, with `requires_grad` or without."
assert torch.allclose(_out.detach(), _wanted, atol=1e-5), "The first layer learns now, but the output has changed. Numbers above 2 must become 2, and those below −2 must become −2."
_slopes = torch.autograd.grad(_net.second(_net.first(_x).clamp(-2, 2)).sum(), _net.first.weight)[0]
assert torch.allclose(_net.first.weight.grad, _slopes, atol=1e-4), "A gradient arrives, but it is too large. Where a number was limited, the derivative is 0."

# %% wrong: no limits
# -         h = torch.tensor([[min(max(v, -2.0), 2.0) for v in row] for row in h.tolist()])

# %% wrong: the limits behind autograd's back
# -         h = torch.tensor([[min(max(v, -2.0), 2.0) for v in row] for row in h.tolist()])
# +         h = h + (h.clamp(-2, 2) - h).detach()
