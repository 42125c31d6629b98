"""Find the classes of nodes that the engine declares."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import reference_impl
from reference_impl.core.node import Node


def import_engine() -> None:
    """Import all modules of the engine, including those that are otherwise imported at their first use."""
    for module in pkgutil.walk_packages(reference_impl.__path__, "reference_impl."):
        importlib.import_module(module.name)


def subclasses(cls: type[Node]) -> Iterator[type[Node]]:
    """Yield all direct and indirect subclasses of a class."""
    for subclass in cls.__subclasses__():
        yield subclass
        yield from subclasses(subclass)
