"""Run nodes faster.

A node class with one or two gradient formulas gets an `apply` that calls them directly instead of in a loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_impl.core.node import ALREADY_FREED, Node
from reference_impl.fast import replaces_method

_core_init_subclass = vars(Node)["__init_subclass__"].__func__


def init_subclass(cls: type[Node]) -> None:
    """Give a node class that has one or two gradient formulas and no `apply` an `apply` without a loop.

    Replaces `core.node.Node.__init_subclass__`.
    """
    members = vars(cls)
    _core_init_subclass(cls)
    formulas = members.get("formulas", ())
    if "apply" not in members and len(formulas) in (1, 2):
        cls.apply = (_apply_one if len(formulas) == 1 else _apply_two)(*formulas)  # type: ignore[method-assign]


replaces_method(Node, "__init_subclass__")(classmethod(init_subclass))


def _apply_one(formula: Callable[[Any, Any], Any]) -> Callable[..., tuple[Any, ...]]:
    def apply(self: Node, g: Any, *further: Any) -> tuple[Any, ...]:
        if g is None or further or len(self.next_nodes) != 1:
            return Node.apply(self, g, *further)
        if self.saved is None:
            raise RuntimeError(ALREADY_FREED)
        result = formula(self, g)
        return (result,) if result.__class__ is not list else tuple(result)  # for an operation on a list of tensors

    return apply


def _apply_two(formula: Callable[[Any, Any], Any], other: Callable[[Any, Any], Any]) -> Callable[..., tuple[Any, ...]]:
    def apply(self: Node, g: Any) -> tuple[Any, ...]:
        if g is None:
            return Node.apply(self, g)
        if self.saved is None:
            raise RuntimeError(ALREADY_FREED)
        first, second = self.next_nodes
        if first is None or second is None:  # torch checks all saved values, used or not
            self.check_saved()
        return (None if first is None else formula(self, g), None if second is None else other(self, g))

    return apply
