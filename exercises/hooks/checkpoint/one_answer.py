"""A hook should store the output of the first layer for the first picture. Since it was registered, the network gives the same answer for every picture.

Repair the hook. The answers must be those of the network without it, and `kept["first"]` must hold the output.
"""
# exercise: repair
# covers: hooks.module-forward-hook
# about: hooks/module-forward.md#change-the-output
# hint: If a forward hook returns a tensor, this tensor replaces the output of the module.
# hint: A lambda returns the value of its expression, and `setdefault` returns the stored value.

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

# %% right: removed after the first picture
# - net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))
# + handle = net[0].register_forward_hook(lambda module, inputs, output: kept.update(first=output) or handle.remove())

# %% check
with torch.no_grad():
    _first = pictures @ net[0].weight.T + net[0].bias
    _answers = (torch.tanh(_first) @ net[2].weight.T + net[2].bias).argmax(1).tolist()
assert isinstance(kept.get("first"), torch.Tensor), "The network answers, but `kept['first']` holds no tensor."
assert answers != [_answers[0]] * 5, "All five pictures get the same answer, because the hook replaces the output of the first layer by the same tensor each time."
assert answers == _answers, "The answers differ from picture to picture, but they are not those of the network without the hook."
assert kept["first"].shape == (6,) and torch.allclose(kept["first"], _first[0], atol=1e-6), "The answers are right, but `kept['first']` should hold the output for the *first* picture, unchanged."

# %% wrong: the last output stored
# - net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))
# + net[0].register_forward_hook(lambda module, inputs, output: kept.update(first=output))

# %% wrong: no hook
# - net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))
# +

# %% wrong: a copy, and still returned
# - net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output))
# + net[0].register_forward_hook(lambda module, inputs, output: kept.setdefault("first", output.clone()) * 0 + output * -1)
