"""Run nodes faster.

A node class with one or two gradient formulas gets an `apply` that calls them directly instead of in a loop.
The sum over broadcast dimensions takes a single step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl.core import backward
from reference_impl.core.modes import mode
from reference_impl.core.node import ALREADY_FREED, Node
from reference_impl.fast import replaces, replaces_method

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


_core_unbroadcast = backward.unbroadcast


@replaces(backward.unbroadcast)
def unbroadcast(node: Node, index: int, grad: Any) -> Any:
    """Return the gradient of input `index` in the shape and dtype of that input. Replaces `core.backward.unbroadcast`.

    If only leading dimensions were broadcast, as for a bias, sum over all of them in one step.
    """
    target = node.next_nodes[index]
    if grad is not None and target is not None and not mode.enabled:
        shape, dtype = target.outputs[node.next_output_nrs[index] if node.next_output_nrs else 0]
        array = grad._array
        lead = array.ndim - len(shape)
        if lead > 0 and array.dtype is dtype and array.shape[lead:] == shape and dtype.char in "fd":
            return grad._wrap(np.add.reduce(array, axis=tuple(range(lead)) if shape else None))
    return _core_unbroadcast(node, index, grad)
