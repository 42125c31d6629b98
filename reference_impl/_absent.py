"""Names that PyTorch has and the engine has not: whoever asks for one is told so. torch_names.txt has all of torch's names."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NoReturn


def absent(where: str, name: str, slip: str = "") -> AttributeError:
    """The error to be raised for the attribute `name` of `where`, a module of torch ("torch", "torch.nn") or a class.

    Args:
        slip: what is said where torch has no such name either; if empty, what Python says of a module.
    """
    if name in torch_names()[where]:
        return AttributeError(f"PyTorch has {where}.{name}; reference_impl, which runs here, has not")
    return AttributeError(slip or f"module '{where}' has no attribute '{name}'")


class AbsentMethod:
    """Stands in a class for a method of torch's. (`__getattr__` would slow down every attribute that is there.)"""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> NoReturn:
        raise AttributeError(f"PyTorch has {self.name}; reference_impl, which runs here, has not")


def announce_absent_methods(cls: type, where: str) -> None:
    """Put an `AbsentMethod` in the place of each method that torch's class `where` has and `cls` has not."""
    for name in torch_names()[where].difference(*(vars(base) for base in cls.__mro__)):
        setattr(cls, name, AbsentMethod(f"{where}.{name}"))


@functools.cache
def torch_names() -> dict[str, frozenset[str]]:
    """The public names of each namespace of torch."""
    lines = (Path(__file__).parent / "torch_names.txt").read_text().splitlines()
    return {where: frozenset(names.split()) for where, names in (line.split(": ") for line in lines)}
