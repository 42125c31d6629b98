"""Run nodes faster.

A node class with one or two gradient formulas gets an `apply` that calls them directly instead of in a loop. The first gradient of a leaf
is stored without a copy if no other code refers to it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl.core import node
from reference_impl.core.modes import mode
from reference_impl.core.node import ALREADY_FREED, Node
from reference_impl.core.saving import SavedTensor
from reference_impl.core.tensor import Tensor
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
        if first is None or second is None:  # checks all saved values, used or not, as `check_saved` does
            for value in self.saved:
                if value.__class__ is Tensor:
                    counter = value._version_counter
                    if counter is not None and counter.value:
                        self.check_saved()
                elif isinstance(value, SavedTensor):
                    value.unpack(self)
        return (None if first is None else formula(self, g), None if second is None else other(self, g))

    return apply


# References to a gradient that only the engine holds, as counted inside `_take_ownership` (test_gradient_ownership checks the numbers).
# From 3.14 on Python does not count references from its stack to local variables, so a count proves nothing: always copy.
_COUNTED = sys.version_info < (3, 14)
_ENGINE_REFERENCES_TO_TENSOR = 5 if _COUNTED else 0
_ENGINE_REFERENCES_TO_ARRAY = 3 if _COUNTED else 0


plain_accumulate = node.accumulate


@replaces(node.accumulate)
def accumulate(leaf: Any, g: Any) -> None:
    """Compute `leaf.grad += g`. Replaces `core.node.accumulate`.

    Store the first gradient without a copy if no other code refers to it.
    """
    if leaf._grad is not None or (mode.enabled and g.requires_grad):
        plain_accumulate(leaf, g)
        return
    grad = leaf._grad = _take_ownership(g)
    if grad._array.strides != leaf._array.strides:
        _lay_out_as(leaf._array, grad)


def _take_ownership(g: Tensor) -> Tensor:
    """Return `g`, or a tensor on its memory, if no other code refers to `g` or its memory. Otherwise return a copy."""
    array = g._array
    if (
        g._grad_fn is None
        and sys.getrefcount(g) <= _ENGINE_REFERENCES_TO_TENSOR
        and sys.getrefcount(array) <= _ENGINE_REFERENCES_TO_ARRAY
    ):
        if array.base is None:
            return g
        if _is_all_of_its_base(g):
            return Tensor._wrap(array)
    return Tensor._wrap(array.copy("K" if array.base is None else "C"))


def _is_all_of_its_base(g: Tensor) -> bool:
    """Return whether `g` is a C-contiguous view of all elements of a base that no other code refers to."""
    array, view = g._array, g._view
    owner = array.base
    return (
        view is not None
        and type(owner) is np.ndarray
        and owner.size == array.size
        and array.flags.c_contiguous
        and sys.getrefcount(owner) <= 4
        and sys.getrefcount(view.base) <= 2
    )


def _lay_out_as(leaf: Any, grad: Tensor) -> None:
    """Replace the array of `grad` by a copy in the memory order of the array `leaf`, unless it has this order already."""
    copy = node.copy_in_leaf_layout(grad._array, leaf)
    if any(a != b and n != 1 for a, b, n in zip(grad._array.strides, copy.strides, copy.shape, strict=True)):
        grad._array = copy
