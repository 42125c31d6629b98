"""`collect` should return the output of each layer of a model, but one output in its dict is wrong, and the hooks stay on the model.

Repair `collect`. All outputs must be right, and the model must be the same as before.
"""
# exercise: repair
# covers: hooks.forward-hook-usecase
# about: hooks/feature-maps.md#overwritten
# hint: Compare the returned output of the first layer with `model[0](x)`. The next layer works in place.
# hint: Call `collect` twice, and print `model[0]._forward_hooks`.

# %% start
import torch
from torch import nn


def collect(model, x):
    maps = {}

    def keep_as(name):
        def hook(module, inputs, output):
            maps[name] = output.detach()

        return hook

    for name, module in model.named_children():
        module.register_forward_hook(keep_as(name))
    model(x)
    return maps


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(inplace=True), nn.Linear(4, 2))
x = torch.tensor([[1.0, -2.0, 3.0]])
maps = collect(model, x)
print(maps["0"])
print(model[0](x))

# %% solution
# -             maps[name] = output.detach()
# +             maps[name] = output.detach().clone()

# -     for name, module in model.named_children():
# -         module.register_forward_hook(keep_as(name))
# -     model(x)
# +     handles = [module.register_forward_hook(keep_as(name)) for name, module in model.named_children()]
# +     model(x)
# +     for handle in handles:
# +         handle.remove()

# %% check
_model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(inplace=True), nn.Linear(4, 2))
_maps = collect(_model, x)
_hooks = sum(len(_layer._forward_hooks) for _layer in _model)
_true = x @ _model[0].weight.T + _model[0].bias
assert sorted(_maps) == ["0", "1", "2"], "The dict must have one entry for each layer, under its name."
assert torch.allclose(_maps["0"], _true), "The map of the first layer isn't its output, because the next layer has overwritten this memory."
assert _hooks == 0, "The maps are right, but the hooks are still registered, so the next run will call them again."
assert _model[1].inplace, "`collect` has changed the model: its activation no longer works in place. Leave the model as it is."
assert not any(_map.requires_grad for _map in _maps.values()), "The maps still have a `grad_fn`, which keeps the graph of this run and its saved tensors in memory."

# %% wrong: a clone, and the hooks forgotten
# -             maps[name] = output.detach()
# +             maps[name] = output.detach().clone()

# %% wrong: a clone with its graph
# -             maps[name] = output.detach()
# +             maps[name] = output.clone()

# -     for name, module in model.named_children():
# -         module.register_forward_hook(keep_as(name))
# -     model(x)
# +     handles = [module.register_forward_hook(keep_as(name)) for name, module in model.named_children()]
# +     model(x)
# +     for handle in handles:
# +         handle.remove()

# %% wrong: the activation changed
# -     for name, module in model.named_children():
# -         module.register_forward_hook(keep_as(name))
# -     model(x)
# +     model[1].inplace = False
# +     handles = [module.register_forward_hook(keep_as(name)) for name, module in model.named_children()]
# +     model(x)
# +     for handle in handles:
# +         handle.remove()

# %% wrong: the activation left out
# -             maps[name] = output.detach()
# +             maps[name] = output.detach().clone()

# -         module.register_forward_hook(keep_as(name))
# +         if not isinstance(module, nn.ReLU):
# +             module.register_forward_hook(keep_as(name))

# %% wrong: removed too soon
# error: KeyError: '0'
# hint: The dict is empty, because all hooks had been removed before the model ran.
# -     for name, module in model.named_children():
# -         module.register_forward_hook(keep_as(name))
# -     model(x)
# +     for name, module in model.named_children():
# +         with module.register_forward_hook(keep_as(name)):
# +             pass
# +     model(x)
