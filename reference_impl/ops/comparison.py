"""Comparisons of two operands, and predicates of single elements. Their results are boolean and have no `grad_fn`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl.core.node import Node
from reference_impl.core.record import record
from reference_impl.core.tensor import Tensor
from reference_impl.ops.arithmetic import zeros_like
from reference_impl.ops.promotion import operands, require_tensor, tensor_operands
from reference_impl.ops.registry import OPERANDS, add_methods, as_operator, op

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def comparison(name: str, function: Callable[[Any, Any], Any], *aliases: str) -> Callable[[Any, Any], Tensor]:
    """Define and register a comparison of two operands, and return it. The operands are broadcast and converted to their common dtype.

    The function has a boolean result. Its in-place form writes 0 and 1 in the dtype of the first operand.

    Args:
        name: torch's name: "eq", "lt" and so on.
        function: function of two arrays.
        aliases: further names.
    """

    def call(input: Tensor, other: Any) -> Tensor:
        require_tensor(input)
        x, y = operands(input, other)
        return Tensor._wrap(function(x, y))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return for each pair of elements whether `input {_SIGNS[name]} other`."
    with_number, with_tensor = (type(f"{name.title()}Backward{i}", (_Overwritten,), {}) for i in (0, 1))

    def truth_in_place(input: Tensor, other: Any) -> Tensor:
        truth = call(input, other)._array.astype(input._array.dtype)
        return record(with_tensor if isinstance(other, Tensor) else with_number, truth, (input, other))

    op("inplace", name=name, aliases=aliases)(truth_in_place)
    return op("function", "method", "out", aliases=aliases)(call)


class _Overwritten(Node):
    """A comparison written into its first operand: both gradients are 0."""

    def grad_self(self, g: Tensor) -> Tensor:
        return zeros_like(g)

    def grad_other(self, g: Tensor) -> Tensor:
        return zeros_like(g)


eq = comparison("eq", np.equal)


def _equal_to_tensor_or_array(self: Tensor, other: Any) -> Any:
    """Return `self == other`. As in torch, `other` may be an array of NumPy, although `torch.eq` and `!=` take none."""
    if isinstance(other, np.ndarray):
        return eq(self, Tensor._wrap(other)) if other.dtype.kind in "biuf" else NotImplemented
    return eq(self, other)


ne = comparison("ne", np.not_equal, "not_equal")
lt = comparison("lt", np.less, "less")
le = comparison("le", np.less_equal, "less_equal")
gt = comparison("gt", np.greater, "greater")
ge = comparison("ge", np.greater_equal, "greater_equal")


add_methods(**{f"__{name}__": as_operator(globals()[name]) for name in ("ne", "lt", "le", "gt", "ge")})
add_methods(__eq__=as_operator(_equal_to_tensor_or_array, (*OPERANDS, np.ndarray)))


# -- comparisons with a tolerance, and of whole tensors


@op("function", "method")
def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Return for each element whether |input - other| <= atol + rtol · |other|. Infinities are close only to themselves.

    Args:
        equal_nan: whether NaN is close to NaN.

    Raises:
        RuntimeError: the dtypes differ, the shapes don't broadcast, or a tolerance is negative.
    """
    x, y = input._array, other._array
    if x.dtype != y.dtype:
        raise RuntimeError(f"{input.dtype.tensor_type} did not match {other.dtype.tensor_type}")
    if rtol < 0:
        raise RuntimeError(f"rtol must be greater than or equal to zero, but got {rtol:g}")
    if atol < 0:
        raise RuntimeError(f"atol must be greater than or equal to zero, but got {atol:g}")
    x, y = tensor_operands(input, other)
    close = np.equal(x, y)
    if equal_nan and x.dtype.kind == "f":
        close = close | (np.isnan(x) & np.isnan(y))
    if rtol == 0 and atol == 0:
        return Tensor._wrap(close)
    if x.dtype.kind != "f":
        x, y = x.astype(np.float64), y.astype(np.float64)
    difference = np.abs(x - y)
    return Tensor._wrap(close | (np.isfinite(difference) & (difference <= atol + np.abs(rtol * y))))


@op("function", "method")
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Return whether `isclose` holds for every element."""
    return bool(isclose(input, other, rtol, atol, equal_nan)._array.all())


@op("function", "method")
def equal(input: Tensor, other: Tensor) -> bool:
    """Return whether the shapes and all values are the same. The dtypes may differ. NaN is not equal to NaN."""
    x, y = input._array, other._array
    if x.dtype != y.dtype and x.shape == y.shape:
        x, y = operands(input, other)
    return x.shape == y.shape and bool(np.all(np.equal(x, y)))


# -- predicates of single elements


def predicate(
    name: str, function: Callable[[Any], Any], description: str, *variants: str
) -> Callable[[Tensor], Tensor]:
    """Define and register an elementwise predicate, and return it.

    Args:
        function: function from an array to a boolean array.
        description: the end of the docstring "Return for each element whether it ...".
        variants: variants besides "function" and "method", see `registry.op`.
    """

    def call(input: Tensor) -> Tensor:
        return Tensor._wrap(function(input._array))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return for each element whether it {description}."
    return op("function", "method", *variants)(call)


isnan = predicate("isnan", np.isnan, "is NaN")
isfinite = predicate("isfinite", np.isfinite, "is neither NaN nor infinite")
isinf = predicate("isinf", np.isinf, "is plus or minus infinity")
isposinf = predicate("isposinf", lambda x: np.equal(x, np.inf), "is plus infinity", "out")
isneginf = predicate("isneginf", lambda x: np.equal(x, -np.inf), "is minus infinity", "out")
isreal = predicate("isreal", lambda x: np.logical_or(x, True), "is a real number: True for all, as no dtype is complex")
signbit = predicate(
    "signbit", lambda x: np.signbit(x) if x.dtype.kind == "f" else np.less(x, 0), "is negative, or is -0.0", "out"
)
