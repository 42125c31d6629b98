"""The same network looks at the same unseen pictures three times, and counts three different numbers of right answers. Repair `look`.

It is to give the network's true result, the same each time, and to leave the network ready for more training.
"""
# exercise: repair
# covers: tricks.model-eval tricks.model-train tricks.eval-vs-nograd
# about: training/loop.md#look-without-leaving-a-trace
# hint: What in this network is drawn at random, each time it is called?
# hint: `no_grad` says that nothing is recorded. Who tells dropout that this is no training?

# %% start
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

digits = load_digits()
pictures = torch.from_numpy(digits.data).float() / 16
labels = torch.from_numpy(digits.target)

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)


def look(net, pictures, labels):
    """How many answers are right."""
    return (net(pictures).argmax(dim=1) == labels).sum().item()


for epoch in range(10):
    for batch in torch.randperm(1000).split(50):
        loss = F.cross_entropy(net(pictures[batch]), labels[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(*(look(net, pictures[1000:], labels[1000:]) for _ in range(3)))

# %% solution
# -     return (net(pictures).argmax(dim=1) == labels).sum().item()
# +     net.eval()
# +     with torch.no_grad():
# +         right = (net(pictures).argmax(dim=1) == labels).sum().item()
# +     net.train()
# +     return right

# %% right: the mode as it was
# -     return (net(pictures).argmax(dim=1) == labels).sum().item()
# +     before = net.training
# +     net.train(False)
# +     right = (net(pictures).argmax(dim=1) == labels).sum().item()
# +     net.train(before)
# +     return right

# %% check
net.train()
_counts = [look(net, pictures[1000:], labels[1000:]) for _ in range(3)]
_after = net.training
assert any(isinstance(_m, nn.Dropout) and _m.p == 0.5 for _m in net.modules()), "The dropout is gone. It's to go on working in training."
assert torch.is_grad_enabled(), "From here on nothing is recorded any more. Switch recording off for the look alone."
with torch.no_grad():
    _eval = net.eval()(pictures[1000:]).argmax(dim=1)
assert len(set(_counts)) == 1, "Three looks, and not the same number. Half of the hidden units are switched off at random during the look."
assert _counts[0] == (_eval == labels[1000:]).sum().item(), "The three are alike now, and not what the whole network gets right. A seed draws the same half each time; no half is to be missing."
assert _after, "The look leaves the network in eval mode. From the second epoch on it would train without dropout."

# %% wrong: eval, and never back
# -     return (net(pictures).argmax(dim=1) == labels).sum().item()
# +     net.eval()
# +     return (net(pictures).argmax(dim=1) == labels).sum().item()

# %% wrong: the same random numbers each time
# -     return (net(pictures).argmax(dim=1) == labels).sum().item()
# +     torch.manual_seed(1)
# +     return (net(pictures).argmax(dim=1) == labels).sum().item()

# %% wrong: no dropout in the network
# - net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10))
# + net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))

# %% wrong: recording off for good
# -     return (net(pictures).argmax(dim=1) == labels).sum().item()
# +     torch.set_grad_enabled(False)
# +     net.eval()
# +     right = (net(pictures).argmax(dim=1) == labels).sum().item()
# +     net.train()
# +     return right
