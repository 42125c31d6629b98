"""Pickle classes under torch's names.

The engine's `nn.Linear` has torch's module name, `torch.nn.modules.linear`, because programs print this name. With it, `pickle`
would import torch's class. So an object of such a class is pickled as a call of `new` with the name as a string. (`torch.save` writes
torch's names, so that torch can load the file.)
"""

from __future__ import annotations

import importlib
from typing import Any


def class_named(module: str, name: str) -> Any:
    """Return the engine's class for torch's `module.name`. Search the engine's module of that name, then its parent packages.

    Raises:
        AttributeError: the engine does not have this class.
    """
    path = ("reference_impl" + module.removeprefix("torch")).split(".")
    for length in range(len(path), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(path[:length]))
            for part in name.split("."):
                value = getattr(value, part)
            return value
        except (ModuleNotFoundError, AttributeError):
            continue
    raise AttributeError(f"reference_impl has no {module}.{name}")


def new(module: str, name: str, *arguments: Any) -> Any:
    """Call `__new__` of the engine's class for torch's `module.name` with `arguments`, but not `__init__`."""
    cls = class_named(module, name)
    return cls.__new__(cls, *arguments)


def reduce_ex(self: Any, protocol: Any) -> Any:
    """Return what `pickle` stores: a call of `new` if the class has a module name of torch, otherwise Python's default."""
    reduced: Any = object.__reduce_ex__(self, 2)
    rebuild, arguments, *state = reduced
    cls = type(self)
    if cls.__module__.split(".")[0] != "torch":
        return (rebuild, arguments, *state)
    return (new, (cls.__module__, cls.__qualname__, *arguments[1:]), *state)
