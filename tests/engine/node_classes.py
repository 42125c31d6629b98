"""The classes of nodes that the engine declares."""

from __future__ import annotations

from collections.abc import Iterator

from reference_impl.core.node import Node


def subclasses(cls: type[Node]) -> Iterator[type[Node]]:
    """Yield all direct and indirect subclasses of a class."""
    for subclass in cls.__subclasses__():
        yield subclass
        yield from subclasses(subclass)
