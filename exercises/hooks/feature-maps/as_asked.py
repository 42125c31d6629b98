"""`features(model, names, x)` runs the children of the network one by one, so its outputs are wrong. Rewrite it with hooks.

Return one output for each name, in the order of the names, from the network as it really runs. Raise a KeyError for an unknown name.
"""
# exercise: write
# covers: hooks.feature-extractor
# about: hooks/feature-maps.md#by-hooks
# hint: `dict(model.named_modules())` maps names to modules, and raises a KeyError for a name that doesn't exist.
# hint: Collect the outputs in a dict, and build the list from the names at the end.
# hint: Store the name in the lambda with a default argument: `name=name`.

# %% start
import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(2, 3)
        self.inner = nn.Sequential(nn.Linear(2, 3), nn.Tanh())
        self.out = nn.Linear(3, 1)

    def forward(self, x):
        return self.out(torch.sigmoid(self.gate(x)) * self.inner(x))


def features(model, names, x):
    outputs = []
    for name, module in model.named_children():
        x = module(x)
        if name in names:
            outputs.append(x)
    return outputs


torch.manual_seed(0)
model = Gated()
x = torch.tensor([[1.0, -2.0]])
try:
    print([tuple(output.shape) for output in features(model, ["out", "inner.0"], x)])
except RuntimeError as error:
    print(error)

# %% solution
# - def features(model, names, x):
# -     outputs = []
# -     for name, module in model.named_children():
# -         x = module(x)
# -         if name in names:
# -             outputs.append(x)
# -     return outputs
# + def features(model, names, x):
# +     modules = dict(model.named_modules())
# +     outputs = {}
# +     handles = [
# +         modules[name].register_forward_hook(lambda m, i, output, name=name: outputs.update({name: output}))
# +         for name in names
# +     ]
# +     model(x)
# +     for handle in handles:
# +         handle.remove()
# +     return [outputs[name] for name in names]

# %% check
def _try(names):
    try:
        return features(model, names, x)
    except (RuntimeError, KeyError) as error:
        return error


_two, _unknown, _hooks = _try(["out", "inner.0"]), _try(["gait"]), [_m for _m in model.modules() if _m._forward_hooks]
assert not isinstance(_two, RuntimeError), "Your function runs the children one after the other, and the output of one doesn't fit into the next. Let the real `forward` run."
assert len(_two) == 2 and _two[0].shape == (1, 1) and _two[1].shape == (1, 3), "Return one output for each name, in the order of the names. In this test, `out` is the first name."
assert torch.equal(_two[0], model(x)) and torch.equal(_two[1], model.inner[0](x)), "The shapes are right, but these are not the outputs of the network as it really runs."
assert isinstance(_unknown, KeyError), "No layer is called `gait`, so this name should raise a KeyError."
assert not _hooks, "The outputs are right, but hooks are still registered on the model."

# %% wrong: in the order of the layers
# - def features(model, names, x):
# -     outputs = []
# -     for name, module in model.named_children():
# -         x = module(x)
# -         if name in names:
# -             outputs.append(x)
# -     return outputs
# + def features(model, names, x):
# +     modules = dict(model.named_modules())
# +     outputs = []
# +     handles = [modules[name].register_forward_hook(lambda m, i, output: outputs.append(output)) for name in names]
# +     model(x)
# +     for handle in handles:
# +         handle.remove()
# +     return outputs

# %% wrong: children only
# error: KeyError: 'inner.0'
# hint: `inner.0` is a layer inside another layer. `named_modules` lists modules at any depth.
# - def features(model, names, x):
# -     outputs = []
# -     for name, module in model.named_children():
# -         x = module(x)
# -         if name in names:
# -             outputs.append(x)
# -     return outputs
# + def features(model, names, x):
# +     modules = dict(model.named_children())
# +     outputs = {}
# +     for name in names:
# +         modules[name].register_forward_hook(lambda m, i, output, name=name: outputs.update({name: output}))
# +     model(x)
# +     return [outputs[name] for name in names]

# %% wrong: each layer run on the input
# - def features(model, names, x):
# -     outputs = []
# -     for name, module in model.named_children():
# -         x = module(x)
# -         if name in names:
# -             outputs.append(x)
# -     return outputs
# + def features(model, names, x):
# +     modules = dict(model.named_modules())
# +     return [modules[name](x) if name != "out" else modules[name](torch.tanh(modules["inner.0"](x))) for name in names]

# %% wrong: unknown names passed over
# - def features(model, names, x):
# -     outputs = []
# -     for name, module in model.named_children():
# -         x = module(x)
# -         if name in names:
# -             outputs.append(x)
# -     return outputs
# + def features(model, names, x):
# +     outputs = {}
# +     for name, module in model.named_modules():
# +         if name in names:
# +             module.register_forward_hook(lambda m, i, output, name=name: outputs.update({name: output}))
# +     model(x)
# +     return [outputs[name] for name in names if name in outputs]

# %% wrong: the hooks left there
# - def features(model, names, x):
# -     outputs = []
# -     for name, module in model.named_children():
# -         x = module(x)
# -         if name in names:
# -             outputs.append(x)
# -     return outputs
# + def features(model, names, x):
# +     modules = dict(model.named_modules())
# +     outputs = {}
# +     for name in names:
# +         modules[name].register_forward_hook(lambda m, i, output, name=name: outputs.update({name: output}))
# +     model(x)
# +     return [outputs[name] for name in names]
