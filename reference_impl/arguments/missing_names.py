"""Report names that PyTorch has and this engine does not. torch_names.txt lists torch's names."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any, NoReturn

from reference_impl.core.extensions import add_members

WORDS = "PyTorch has {}; reference_impl, which runs here, has not"


def absent(where: str, name: str, slip: str = "") -> AttributeError:
    """Return the error for attribute `name` of `where`, a module of torch ("torch", "torch.nn") or a class.

    Args:
        slip: the message if torch has no such name either; if it is empty, the message is that of Python for a module.
    """
    if name in torch_names(where):
        return AttributeError(WORDS.format(f"{where}.{name}"))
    return AttributeError(slip or f"module '{where}' has no attribute '{name}'")


class AbsentMethod:
    """Placeholder in a class for a method that only torch has. (`__getattr__` would slow down every existing attribute.)"""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> NoReturn:
        raise AttributeError(WORDS.format(self.name))


class AbsentModules:
    """Last import finder. For a missing `torch.x` it raises the error that the attribute would raise.

    `from` tries to import a missing attribute as a module, and ignores an error that names exactly that module.
    """

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> None:
        """Raise ModuleNotFoundError if torch has the module; otherwise leave it to Python."""
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
    """Return the public names of a namespace of torch; an empty set if there is no such namespace."""
    return frozenset(_lines().get(where, "").split())


@functools.cache
def _lines() -> dict[str, str]:
    lines = (Path(__file__).parent / "torch_names.txt").read_text().splitlines()
    return dict(line.split(": ") for line in lines)
