"""Declare for type checkers the members that other packages add to the core's classes.

At run time the module does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reference_impl.core.tensor import Tensor

    class MoreAttributes:
        """Base class of nodes that lets a type checker accept any attribute, such as a saved tensor. At run time it is `object`."""

        def __getattr__(self, name: str) -> Any: ...

    class TensorOperations(MoreAttributes):
        """Base class that declares Tensor's operators for type checkers. At run time it is `object`; `core.declare` adds the methods."""

        _array: Any
        _grad_fn: Any
        _output_nr: int
        _version_counter: Any
        _view: Any

        _blank: Any

        def _binary(self, other: Any) -> Tensor: ...  # type: ignore[empty-body]
        def _unary(self) -> Tensor: ...  # type: ignore[empty-body]
        def _indexed(self, index: Any) -> Tensor: ...  # type: ignore[empty-body]
        def _indexed_write(self, index: Any, value: Any) -> None: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _binary
        __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __matmul__ = __rmatmul__ = __pow__ = __rpow__ = _binary
        __lt__ = __le__ = __gt__ = __ge__ = __lshift__ = __rshift__ = __and__ = __or__ = __xor__ = _binary
        __eq__ = __ne__ = _binary  # type: ignore[assignment]
        __neg__ = __pos__ = __abs__ = __invert__ = _unary
        __getitem__, __setitem__ = _indexed, _indexed_write

else:
    MoreAttributes = TensorOperations = object
