"""A probe should keep what the first layer puts out for the first picture. Since it was hung up, the network gives every picture the same answer. Repair the probe."""
# exercise: repair
# covers: hooks.module-forward-hook
# about: hooks/module-forward.md#change-the-output
# hint: If a forward hook returns a tensor, this tensor replaces the output of the module.
# hint: A lambda returns the value of its expression, and `setdefault` returns the value that is stored.

# %% start
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))
pictures = torch.randn(5, 4)
kept = {}

net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))

with torch.no_grad():
    answers = [net(picture).argmax().item() for picture in pictures]
print(answers)

# %% solution
# - net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))
# + def keep(module, inputs, output):
# +     kept.setdefault("first", output)
# +
# +
# + net[0].register_forward_hook(keep)

# %% right: taken off after the first picture
# - net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))
# + handle = net[0].register_forward_hook(lambda module, inputs, output: kept.update(first=output) or handle.remove())

# %% check
with torch.no_grad():
    _first = pictures @ net[0].weight.T + net[0].bias
    _answers = (torch.tanh(_first) @ net[2].weight.T + net[2].bias).argmax(1).tolist()
assert isinstance(kept.get("first"), torch.Tensor), "The network answers, but the probe has kept nothing."
assert answers != [_answers[0]] * 5, "Five pictures, one answer. The network runs its first layer for each of them; what goes on to the second?"
assert answers == _answers, "The answers differ from picture to picture, and they aren't those of the network without the probe."
assert kept["first"].shape == (6,) and torch.allclose(kept["first"], _first[0], atol=1e-6), "The answers are right. The probe must hold the output for the *first* picture, unchanged."

# %% wrong: the last one kept
# - net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))
# + net[0].register_forward_hook(lambda module, inputs, output: kept.update(first=output))

# %% wrong: no probe
# - net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))
# +

# %% wrong: a copy, and still returned
# - net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))
# + net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output.clone()) * 0 + output * -1)
