"""Names that PyTorch has and the engine has not: whoever asks for one is told so. torch_names.txt has all of torch's names."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any, NoReturn

from reference_impl.core.extensions import add_members

WORDS = "PyTorch has {}; reference_impl, which runs here, has not"


def absent(where: str, name: str, slip: str = "") -> AttributeError:
    """The error to be raised for the attribute `name` of `where`, a module of torch ("torch", "torch.nn") or a class.

    Args:
        slip: what is said where torch has no such name either; if empty, what Python says of a module.
    """
    if name in torch_names(where):
        return AttributeError(WORDS.format(f"{where}.{name}"))
    return AttributeError(slip or f"module '{where}' has no attribute '{name}'")


class AbsentMethod:
    """Stands in a class for a method of torch's. (`__getattr__` would slow down every attribute that is there.)"""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> NoReturn:
        raise AttributeError(WORDS.format(self.name))


class AbsentModules:
    """The last that is asked for a module: refuses `import torch.x` and `from torch import x` in the words for the attribute.

    (`from` tries to import what is no attribute, and passes over a failure that names just what it asked for.)
    """

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> None:
        where, _, name = fullname.replace("reference_impl", "torch", 1).rpartition(".")
        if fullname.startswith("reference_impl.") and name in torch_names(where):
            raise ModuleNotFoundError(WORDS.format(f"{where}.{name}"), name=f"{where}.{name}")


sys.meta_path.append(AbsentModules)


def announce_absent_methods(cls: type, where: str) -> None:
    """Put an `AbsentMethod` in the place of each method that torch's class `where` has and `cls` has not."""
    for name in torch_names(where).difference(*(vars(base) for base in cls.__mro__)):
        add_members(cls, **{name: AbsentMethod(f"{where}.{name}")})


@functools.cache
def torch_names(where: str) -> frozenset[str]:
    """The public names of a namespace of torch; none of what is no such namespace."""
    return frozenset(_lines().get(where, "").split())


@functools.cache
def _lines() -> dict[str, str]:
    lines = (Path(__file__).parent / "torch_names.txt").read_text().splitlines()
    return dict(line.split(": ") for line in lines)
