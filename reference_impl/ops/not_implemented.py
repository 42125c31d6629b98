"""Operations that torch records but cannot differentiate."""

from __future__ import annotations

from reference_impl.core.node import Node
from reference_impl.core.tensor import Tensor


class NotImplementedBackward(Node):
    """The result needs a gradient, and computing it raises."""

    operation = ""  # without an annotation: it is not a saved value

    def __repr__(self) -> str:
        return f"<NotImplemented object at {id(self):#x}>"

    def name(self) -> str:
        """Return the name that torch prints."""
        return "torch::autograd::NotImplemented"

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Raise RuntimeError: torch does not have this derivative."""
        raise RuntimeError(f"derivative for aten::{self.operation} is not implemented")


NotImplementedBackward.__name__ = NotImplementedBackward.__qualname__ = "NotImplemented"
