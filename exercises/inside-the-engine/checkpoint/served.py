"""A trained network was saved in eval mode, and is loaded where it is to read mail. One picture, three answers: repair the program."""
# exercise: repair
# covers: tricks.model-eval tricks.eval-vs-nograd
# about: training/loop.md#look-without-leaving-a-trace
# hint: What does a state dict hold, and what not?
# hint: In which mode is a module that has just been made?

# %% start
import torch
from torch import nn


def make():
    return nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10))


torch.manual_seed(0)
trained = make().eval()
saved = trained.state_dict()

net = make()
net.load_state_dict(saved)
picture = torch.rand(64)
with torch.no_grad():
    answers = [net(picture).argmax().item() for _ in range(3)]
print(answers)

# %% solution
#   net.load_state_dict(saved)
# + net.eval()

# %% right: asked for in front
# - net = make()
# + net = make().eval()

# %% check
with torch.no_grad():
    _true = trained(picture).argmax().item()
assert any(isinstance(_m, nn.Dropout) and _m.p == 0.5 for _m in net.modules()), "The network that reads is to be the one that was saved, dropout and all."
assert len(answers) == 3 and len(set(answers)) == 1, f"The answers are {answers}. `no_grad` stops the record; which part of the network goes on drawing numbers?"
assert answers[0] == _true, f"One answer now, {answers[0]}, and the trained network says {_true}. The same half of the units is missing each time."

# %% wrong: the same numbers each time
# -     answers = [net(picture).argmax().item() for _ in range(3)]
# +     answers = []
# +     for _ in range(3):
# +         torch.manual_seed(0)
# +         answers.append(net(picture).argmax().item())

# %% wrong: built without dropout
# - net = make()
# + net = make()
# + net[2] = nn.Identity()
