"""Report names that PyTorch has and this engine does not. torch_names.txt lists torch's names."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any, NoReturn

from reference_impl.core.extensions import add_members

WORDS = "PyTorch has {}; reference_impl, which runs here, does not"


def absent(where: str, name: str, unknown_message: str = "") -> AttributeError:
    """Return the AttributeError for attribute `name` of a module or class of torch.

    Args:
        where: name of the module or class, such as "torch.nn" or "torch.Tensor".
        unknown_message: the message if torch lacks the name too, by default Python's message for a missing attribute of a module.
    """
    if name in torch_names(where):
        return AttributeError(WORDS.format(f"{where}.{name}"))
    return AttributeError(unknown_message or f"module '{where}' has no attribute '{name}'")


class AbsentMethod:
    """A descriptor for a method that only torch has: reading it raises AttributeError. (`__getattr__` would slow down every read.)"""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> NoReturn:
        raise AttributeError(WORDS.format(self.name))


class AbsentModules:
    """An import finder, the last in `sys.meta_path`. For a missing name that torch has, it raises an error with the message of `absent`.

    `from reference_impl import x` tries to import a missing attribute `x` as a module. Python ignores a ModuleNotFoundError whose
    `name` is "reference_impl.x"; the error raised here has the name "torch.x", so the program sees it.
    """

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> None:
        """Raise ModuleNotFoundError if `fullname` is a name in this package that torch has; otherwise return None."""
        where, _, name = fullname.replace("reference_impl", "torch", 1).rpartition(".")
        if fullname.startswith("reference_impl.") and name in torch_names(where):
            raise ModuleNotFoundError(WORDS.format(f"{where}.{name}"), name=f"{where}.{name}")


sys.meta_path.append(AbsentModules)


def announce_absent_methods(cls: type, where: str) -> None:
    """Add an `AbsentMethod` to `cls` for each method of torch's class `where` that `cls` lacks."""
    names = torch_names(where).difference(*(vars(base) for base in cls.__mro__))
    add_members(cls, **{name: AbsentMethod(f"{where}.{name}") for name in names})


@functools.cache
def torch_names(where: str) -> frozenset[str]:
    """Return the public names in torch's module or class `where`; an empty set if torch_names.txt does not list it."""
    return frozenset(_lines().get(where, "").split())


@functools.cache
def _lines() -> dict[str, str]:
    lines = (Path(__file__).parent / "torch_names.txt").read_text().splitlines()
    return dict(line.split(": ") for line in lines)
