"""A trained network was in evaluation mode when it was saved. After it has been loaded, it gives three answers to one picture.

Repair the program, so that all three answers are the one that the trained network gives.
"""
# exercise: repair
# covers: tricks.model-eval tricks.eval-vs-nograd
# about: training/loop.md#look-without-leaving-a-trace
# hint: A state dict holds parameters and buffers. It doesn't hold the mode of the network.
# hint: A module that has just been created is in training mode.

# %% start
import torch
from torch import nn


def make_net():
    return nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10))


torch.manual_seed(0)
trained = make_net().eval()
saved = trained.state_dict()

net = make_net()
net.load_state_dict(saved)
picture = torch.rand(64)
with torch.no_grad():
    answers = [net(picture).argmax().item() for _ in range(3)]
print(answers)

# %% solution
#   net.load_state_dict(saved)
# + net.eval()

# %% right: when it is created
# - net = make_net()
# + net = make_net().eval()

# %% check
with torch.no_grad():
    _expected = trained(picture).argmax().item()
assert any(isinstance(_m, nn.Dropout) and _m.p == 0.5 for _m in net.modules()), "The dropout layer is gone. Keep the network that was saved, and change its mode."
assert len(answers) == 3 and len(set(answers)) == 1, f"The answers are {answers}. `no_grad` switches off recording, and dropout still draws random zeros."
assert answers[0] == _expected, f"There is one answer now, {answers[0]}, but the trained network answers {_expected}. Dropout still sets units to 0, the same ones each time."

# %% wrong: the same random numbers each time
# -     answers = [net(picture).argmax().item() for _ in range(3)]
# +     answers = []
# +     for _ in range(3):
# +         torch.manual_seed(0)
# +         answers.append(net(picture).argmax().item())

# %% wrong: without dropout
# - net = make_net()
# + net = make_net()
# + net[2] = nn.Identity()
