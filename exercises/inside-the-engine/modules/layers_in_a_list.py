"""`Net` has a list of layers, and `Module` doesn't find the parameters in it, so they are never trained.

Change `Module`, so that it also finds parameters and modules in lists.
"""
# exercise: repair
# covers: module.parameter-registration
# about: inside-the-engine/modules.md#a-model-that-knows-its-parameters
# hint: `net` finds two of its six parameters. The other four are in the list.
# hint: An element of a list can be a parameter, a module, or neither.

# %% start
class Parameter:
    def __init__(self, number):
        self.number = number


class Module:
    def parameters(self):
        for value in vars(self).values():
            if isinstance(value, Parameter):
                yield value
            elif isinstance(value, Module):
                yield from value.parameters()


class Linear(Module):
    def __init__(self):
        self.weight, self.bias = Parameter(1.0), Parameter(0.0)


class Net(Module):
    def __init__(self):
        self.hidden = [Linear(), Linear()]
        self.out = Linear()


net = Net()
print(len(list(net.parameters())), "of 6")

# %% solution
#   class Module:
# -     def parameters(self):
# -         for value in vars(self).values():
# +     def parameters(self, values=None):
# +         for value in vars(self).values() if values is None else values:

# -                 yield from value.parameters()
# +                 yield from value.parameters()
# +             elif isinstance(value, list):
# +                 yield from self.parameters(value)

# %% right: one level of lists
# -         for value in vars(self).values():
# +         values = []
# +         for value in vars(self).values():
# +             values += value if isinstance(value, list) else [value]
# +         for value in values:

# %% check
class _Empty(Module):
    def __init__(self):
        self.name, self.sizes = "empty", [3, 4]


class _Mixed(Module):
    def __init__(self):
        self.scales = [Parameter(1.0), Parameter(2.0)]
        self.layers = [Linear(), _Empty()]
        self.last = Parameter(3.0)


class _Plain(Module):
    def __init__(self):
        self.first, self.second = Linear(), Parameter(1.0)


assert isinstance(getattr(net, "hidden", None), list), "A network may have any number of layers, so it needs a list for them. Change `Module` and leave `Net` as it is."
assert len(list(_Plain().parameters())) == 3, "Parameters and modules outside of lists were found before, and now some of them are not."
assert len(list(_Empty().parameters())) == 0, "A list of sizes and a name don't contain parameters."
_mixed = _Mixed()
_found = list(_mixed.parameters())
assert len(_found) != 1, "The layers in the list are still not found, so they are never trained."
assert all(_one in _found for _one in _mixed.scales), "The layers in the list are found. A list may also hold parameters themselves."
assert len(_found) == 5, f"A module with five parameters, some of them in lists, finds {len(_found)}."

# %% wrong: attributes in place of the list
# -         self.hidden = [Linear(), Linear()]
# +         self.first, self.second = Linear(), Linear()

# %% wrong: only modules in lists
# -                 yield from value.parameters()
# +                 yield from value.parameters()
# +             elif isinstance(value, list):
# +                 for one in value:
# +                     yield from one.parameters() if isinstance(one, Module) else ()

# %% wrong: whatever is in a list
# -                 yield from value.parameters()
# +                 yield from value.parameters()
# +             elif isinstance(value, list):
# +                 yield from value

# %% wrong: only lists
# -             if isinstance(value, Parameter):
# -                 yield value
# -             elif isinstance(value, Module):
# -                 yield from value.parameters()
# +             for one in value if isinstance(value, list) else [value]:
# +                 if isinstance(one, Module):
# +                     yield from one.parameters()

# %% wrong: twice
# -                 yield from value.parameters()
# +                 yield from value.parameters()
# +             elif isinstance(value, list):
# +                 for one in value:
# +                     if isinstance(one, Module):
# +                         yield from one.parameters()
# +                     elif isinstance(one, Parameter):
# +                         yield one
# +                         yield one
