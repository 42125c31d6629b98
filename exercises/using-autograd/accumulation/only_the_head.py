"""Only the last layer, the head, is trained, so only the head was given to the optimizer. Its steps get shorter from round to round, while the gradients of the body grow.

Repair the program so that the last step is longer than 0.0099. The body must not move, and the clipping must stay: `clip_grad_norm_` measures all gradients of the network
together and shortens all of them when they are too long.
"""
# exercise: repair
# covers: autograd.grad-accumulates
# about: using-autograd/accumulation.md#clearing
# hint: Print `body.weight.grad.norm()` in each round. Each `backward` adds to that gradient.
# hint: `optimizer.zero_grad()` clears only the tensors in the list of the optimizer.

# %% start
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 3)
net = nn.Sequential(body, nn.ReLU(), head)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
before = body.weight.detach().clone()

x, y = torch.randn(30, 4), torch.randint(0, 3, (30,))
steps = []
for step in range(20):
    loss = F.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    steps.append(0.1 * head.weight.grad.norm().item())
    optimizer.step()
print(steps[0], steps[-1])

# %% solution
# -     optimizer.zero_grad()
# +     net.zero_grad()

# %% right: no gradient for the body
#   net = nn.Sequential(body, nn.ReLU(), head)
# + body.requires_grad_(False)

# %% right: the head alone is clipped
# -     nn.utils.clip_grad_norm_(net.parameters(), 0.5)
# +     nn.utils.clip_grad_norm_(head.parameters(), 0.5)

# %% check
assert torch.equal(before, body.weight), "The body has moved. It should stay as it is."
assert len(steps) == 20 and any(_p.grad is not None and _p.grad.any() for _p in head.parameters()), "After training, the head has no gradient. Clear before `backward`, so that `step` finds the new gradient."
assert abs(steps[0] - 0.01524) < 0.0005, f"The first step was 0.0152 long, and now it is {steps[0]:.4f}. Use the same limit for the clipping as before."
assert steps[-1] > 0.0099, f"The first step is {steps[0]:.4f} long and the last one {steps[-1]:.4f}. The gradients of the body still add up from round to round."

# %% wrong: train everything
# - optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
# + optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

# %% wrong: a longer limit
# -     nn.utils.clip_grad_norm_(net.parameters(), 0.5)
# +     nn.utils.clip_grad_norm_(net.parameters(), 0.05)

# %% wrong: cleared behind the pass
# -     optimizer.zero_grad()
# -     loss.backward()
# +     loss.backward()
# +     net.zero_grad(set_to_none=False)
