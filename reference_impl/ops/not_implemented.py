"""Record operations that torch cannot differentiate, and refuse gradients of arguments for which torch has no derivative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad, record_many
from reference_impl.core.tensor import Tensor

_CONSTANT = (
    "The function '{}' is not differentiable with respect to argument '{}'. This input cannot have requires_grad True."
)


class NotImplementedBackward(Node):
    """The node of an operation without a derivative: its result requires grad, but backward raises an error."""

    operation = ""  # not annotated, because an annotated attribute would be a saved value

    def __repr__(self) -> str:
        return f"<NotImplemented object at {id(self):#x}>"

    def name(self) -> str:
        """Return the name that torch prints."""
        return "torch::autograd::NotImplemented"

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Raise RuntimeError: torch does not have this derivative."""
        raise RuntimeError(f"derivative for aten::{self.operation} is not implemented")


NotImplementedBackward.__name__ = NotImplementedBackward.__qualname__ = "NotImplemented"


def record_not_implemented(operation: str, arrays: Sequence[Any], inputs: Sequence[Any]) -> tuple[Tensor, ...]:
    """Record an operation without a derivative, and return the tensors of its results `arrays`.

    As in torch, the node has edges only to those of `inputs` that require grad.
    """
    sources = [t for t in inputs if isinstance(t, Tensor) and t.requires_grad]
    return record_many(NotImplementedBackward, arrays, sources, operation=operation)


def refuse_gradients(function: str, **constants: Tensor | None) -> None:
    """Check that none of the arguments `constants`, passed by their names, of the operation `function` requires grad.

    Raises:
        RuntimeError: an argument requires grad, while autograd records operations.
    """
    for name, t in constants.items():
        if needs_grad(t):
            raise RuntimeError(_CONSTANT.format(function, name))
