"""`validate` evaluates a network and leaves it changed: a second evaluation on the same data gives another loss. Repair `validate`.

Afterward the network must be as it was before, the mode included, because `validate` may be called on a network that isn't being trained.
"""
# exercise: repair
# covers: tricks.model-eval
# about: training/train-and-eval.md#the-averages-change-in-forward
# hint: Print `net[1].running_mean` before and after the evaluation.
# hint: Batch norm leaves its averages alone in evaluation mode. Remember in which mode the network was, and restore it.

# %% start
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 2))
x, y = torch.randn(32, 2), torch.randint(0, 2, (32,))


def validate(net, x, y):
    with torch.no_grad():
        return F.cross_entropy(net(x), y).item()


print(validate(net, x, y), validate(net, x, y))

# %% solution
# -     with torch.no_grad():
# -         return F.cross_entropy(net(x), y).item()
# +     was_training = net.training
# +     net.eval()
# +     with torch.no_grad():
# +         loss = F.cross_entropy(net(x), y).item()
# +     net.train(was_training)
# +     return loss

# %% check
_before = {_name: _value.clone() for _name, _value in net.state_dict().items()}
net.train()
_first, _second = validate(net, x, y), validate(net, x, y)
assert isinstance(_first, float), "`validate` should return the loss as a number."
assert all(torch.equal(_value, _before[_name]) for _name, _value in net.state_dict().items()), "The running averages have changed. Batch norm updates them in `forward` in training mode."
assert _first == _second, "The averages stay the same, but the two losses still differ. Dropout must be in evaluation mode as well."
assert net.training, "The network was in training mode before the evaluation and isn't now, so dropout would be off from here on."
net.eval()
validate(net, x, y)
assert not net.training, "The network was in evaluation mode before the call and is in training mode now. Store the mode first and restore it."
net.train()

# %% wrong: eval, and nothing more
# -     with torch.no_grad():
# +     net.eval()
# +     with torch.no_grad():

# %% wrong: always back to train
# -     with torch.no_grad():
# -         return F.cross_entropy(net(x), y).item()
# +     net.eval()
# +     with torch.no_grad():
# +         loss = F.cross_entropy(net(x), y).item()
# +     net.train()
# +     return loss

# %% wrong: only the batch norm
# -     with torch.no_grad():
# -         return F.cross_entropy(net(x), y).item()
# +     net[1].eval()
# +     with torch.no_grad():
# +         loss = F.cross_entropy(net(x), y).item()
# +     net[1].train()
# +     return loss

# %% wrong: a tensor
# -     with torch.no_grad():
# -         return F.cross_entropy(net(x), y).item()
# +     net.eval()
# +     with torch.no_grad():
# +         loss = F.cross_entropy(net(x), y)
# +     net.train()
# +     return loss
