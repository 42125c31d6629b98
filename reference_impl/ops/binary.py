"""Functions of two operands, applied to each pair of elements: one statement per function.

    hypot = binary("hypot", np.hypot, lambda g, x, y, out: (g * (x / out), g * (y / out)), saves="self other result")

says: torch's name, NumPy's function, and the gradients of both operands from the gradient `g` of the result, the operands `x`
and `y` and the result `out`. Only the gradients that are needed are computed where the formula gives functions of no
argument in their place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl.core.declare import floating
from reference_impl.core.node import Node
from reference_impl.core.record import needs_grad, record
from reference_impl.core.saving import RESULT
from reference_impl.core.tensor import Tensor
from reference_impl.ops.arithmetic import pow
from reference_impl.ops.elementwise import zeros_like
from reference_impl.ops.extremes import chosen
from reference_impl.ops.not_implemented import NotImplementedBackward
from reference_impl.ops.promotion import as_float, operands, refuse_dtype, require_tensor, tensor_operands
from reference_impl.ops.registry import op
from reference_impl.ops.with_number import mul_number

Formula = Callable[[Tensor, Any, Any, Any], tuple[Callable[[], Tensor], Callable[[], Tensor]]]

METHOD = ("function", "method", "inplace", "out")


class Binary(Node):
    """A function of two operands; `formula` gives both gradients."""

    saved_names = ("self", "other", "result")
    _formula: Formula
    _number: Any = None  # the operand that is a Python number

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is None:
            return (None,) * len(self.next_nodes)
        return tuple([None if node is None else f() for node, f in zip(self.next_nodes, self._both(g), strict=True)])

    def _both(self, g: Tensor) -> Any:
        return type(self)._formula(g, self._saved_self, self._saved_other, self._saved_result)


class WithNumberRight(Binary):
    """The same with a Python number as the second operand."""

    def _both(self, g: Tensor) -> Any:
        return type(self)._formula(g, self._saved_self, self._number, self._saved_result)[:1]


class WithNumberLeft(Binary):
    """The same with a Python number as the first operand."""

    def _both(self, g: Tensor) -> Any:
        return type(self)._formula(g, self._number, self._saved_other, self._saved_result)[1:]


def binary(
    name: str,
    function: Callable[[Any, Any], Any],
    formula: Formula,
    *,
    node_name: str | None = None,
    numbers: tuple[int | None, int | None] = (None, None),
    saves_result: bool = False,
    own_operand: bool = False,
    saves_other: bool = True,
    integers: str = "to float",
    variants: tuple[str, ...] = METHOD,
    aliases: tuple[str, ...] = (),
    doc: str | None = None,
) -> Callable[[Any, Any], Tensor]:
    """Define and register one function of two operands.

    Args:
        name: torch's name of it.
        function: of two arrays in their common dtype, returning a new array.
        formula: (g, x, y, out) -> the gradients of both operands, each as a function of no argument.
        node_name: the node's without its number, if it is not `<Name>Backward`.
        numbers: the number at the end of the node's name where the second (the first) operand is a Python number; None:
            torch does not offer that.
        saves_result: whether the formula uses `out`.
        own_operand: whether the gradient of an operand uses that operand only: it is saved where that is wanted.
        saves_other: whether the formula uses `y`.
        integers: "to float": integers and booleans are computed in the default dtype; "kept": in their own.
    """
    public, name = name, name.split(".")[-1]
    stem = node_name or name.title().replace("_", "") + "Backward"
    members = {"_formula": staticmethod(formula)}
    pair = type(f"{stem}0", (Binary,), members)
    right, left = (
        None if number is None else type(f"{stem}{number}", (base,), members)
        for number, base in zip(numbers, (WithNumberRight, WithNumberLeft), strict=True)
    )

    def call(input: Any, other: Any) -> Tensor:
        if (right is None and not isinstance(other, Tensor)) or (left is None and not isinstance(input, Tensor)):
            tensor_operands(input, other)
        x, y = operands(input, other)
        if integers == "to float":
            x, y = as_float(x, y)
        result = function(x, y)
        out = RESULT if saves_result else None
        if not isinstance(other, Tensor):
            return record(right, result, (input,), (input, None, out), _number=other)  # type: ignore[arg-type]
        if not isinstance(input, Tensor):
            return record(left, result, (other,), (None, other, out), _number=input)  # type: ignore[arg-type]
        if own_operand:
            saved = [t if t.requires_grad else None for t in (input, other)]
            return record(pair, result, (input, other), (*saved, out))
        saved = [input, other if saves_other else None, out]
        return record(pair, result, (input, other), saved if needs_grad(input, other) else ())

    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc or f"`{name}` of each pair of elements, broadcast and promoted."
    return op(*variants, name=public, aliases=aliases)(call)


# -- geometry


def _over_square(x: Tensor, y: Tensor) -> Tensor:
    """1 / (x² + y²), and 0 at the origin."""
    square = x * x + y * y
    return chosen(square != 0, square.reciprocal())


def _floating(kernel: str, x: Any, y: Any) -> tuple[Any, Any]:
    """The operands of a kernel that torch has for floating-point numbers only."""
    dtype = (x if hasattr(x, "dtype") else y).dtype
    if dtype.kind != "f":
        refuse_dtype(kernel, dtype)
    return x, y


atan2 = binary(
    "atan2",
    np.arctan2,
    lambda g, x, y, out: (lambda: g * (y * _over_square(x, y)), lambda: g * (-x * _over_square(x, y))),
    aliases=("arctan2",),
)
hypot = binary(
    "hypot",
    lambda x, y: np.hypot(*_floating("hypot_cpu", x, y)),
    lambda g, x, y, out: (lambda: g * x / out, lambda: g * y / out),
    saves_result=True,
    own_operand=True,
    integers="kept",
)
copysign = binary(
    "copysign",
    np.copysign,
    lambda g, x, y, out: (lambda: chosen(x != 0, g * (out / x)), lambda: zeros_like(g)),
    numbers=(1, None),
    saves_result=True,
    saves_other=False,
)

# -- exponentials and logarithms

logaddexp = binary(
    "logaddexp",
    lambda x, y: np.logaddexp(*_floating("logaddexp_cpu", x, y)),
    lambda g, x, y, out: (lambda: g / (1 + (y - x).exp()), lambda: g / (1 + (x - y).exp())),
    integers="kept",
    variants=("function", "method", "out"),
)
logaddexp2 = binary(
    "logaddexp2",
    lambda x, y: np.logaddexp2(*_floating("logaddexp2_cpu", x, y)),
    lambda g, x, y, out: (lambda: g / (1 + pow(2, y - x)), lambda: g / (1 + pow(2, x - y))),
    integers="kept",
    variants=("function", "method", "out"),
)


def _x_log(x: Any, y: Any, log: Callable[[Any], Any]) -> Any:
    """`x * log(y)`, 0 where `x` is 0 (unless `y` is NaN)."""
    if not hasattr(y, "dtype"):
        y = np.asarray(y, x.dtype)  # the logarithm of a Python number would be one of double precision
    with np.errstate(divide="ignore", invalid="ignore"):
        product = np.multiply(x, log(y))
    return np.where(np.equal(x, 0) & ~np.isnan(y), product.dtype.type(0), product)


def _xlogy_self(g: Tensor, x: Any, y: Any, function: Any, lowest: float) -> Tensor:
    """∂x of x·log(y): g·log(y), but 0 where x is 0 and log(y) has no finite value."""
    if not isinstance(y, Tensor):
        return function(g, y) if y > lowest else function(g, y).masked_fill(x == 0, 0)
    return function(g, y).masked_fill((x == 0) & (y <= lowest), 0)


xlogy: Callable[[Any, Any], Tensor] = binary(
    "xlogy",
    lambda x, y: _x_log(x, y, np.log),
    lambda g, x, y, out: (lambda: _xlogy_self(g, x, y, xlogy, 0.0), lambda: g * x / y),
    numbers=(2, 1),
    aliases=("special.xlogy",),
    doc="`input * log(other)`, 0 where `input` is 0.",
)
special_xlog1py: Callable[[Any, Any], Tensor] = binary(
    "special.xlog1py",
    lambda x, y: _x_log(x, y, np.log1p),
    lambda g, x, y, out: (lambda: _xlogy_self(g, x, y, special_xlog1py, -1.0), lambda: g * x / (y + 1)),
    node_name="SpecialXlog1PyBackward",
    numbers=(2, 1),
    variants=("function", "out"),
    doc="`input * log1p(other)`, 0 where `input` is 0.",
)


# -- powers


@op("function", "method", "out")
def float_power(input: Any, exponent: Any) -> Tensor:
    """`input ** exponent`, computed in float64 (as torch does whatever the dtypes are)."""
    x, y = (v.to(_dtype.float64) if isinstance(v, Tensor) else v for v in (input, exponent))
    return pow(x, float(y) if isinstance(y, int) else y)


def _float_power_in_place(input: Tensor, exponent: Any) -> Tensor:
    """As `float_power`, for a base that is of dtype float64 already."""
    if input._array.dtype != np.float64:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {input.dtype.tensor_type} but the operation's result requires dtype "
            "Double"
        )
    return float_power(input, exponent)


op("inplace", name="float_power")(_float_power_in_place)


class LdexpBackward0(Node):
    """out = self · 2^other:  ∂self = g · 2^other,  ∂other = g · out · ln 2."""

    saved_names = ("other", "result")

    def grad_self(self, g: Tensor) -> Tensor:
        return g * pow(2, self._saved_other)

    def grad_other(self, g: Tensor) -> Tensor:
        return mul_number(g * self._saved_result, math.log(2))


@op("function", "method", "out")
def ldexp(input: Tensor, other: Tensor) -> Tensor:
    """`input * 2 ** other`."""
    require_tensor(input)
    y = other._array
    power = np.exp2(floating(y))
    a, b = operands(input, Tensor._wrap(power))
    return record(LdexpBackward0, np.multiply(a, b), (input, other), (other, RESULT))


def _ldexp_in_place(input: Tensor, other: Tensor) -> Tensor:
    """As `ldexp`, for a tensor that can hold the result."""
    result = ldexp(input, other)
    if input._array.dtype.kind != "f":
        raise RuntimeError(f"ldexp can't be cast to the desired output type {input.dtype.tensor_type}")
    return result


op("inplace", name="ldexp")(_ldexp_in_place)


# -- steps, neighbours, whole numbers


@op("function", "method", "out")
def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """0 where `input` is negative, 1 where it is positive, `values` where it is 0.

    Raises:
        RuntimeError: the dtypes differ.
    """
    return _heaviside(input, values, "heaviside")


def _heaviside(input: Tensor, values: Tensor, operation: str) -> Tensor:
    x, y = input._array, values._array
    if x.dtype != y.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    x, y = operands(input, values)
    step = np.where(np.equal(x, 0), y, np.greater(x, 0).astype(x.dtype))
    return record(NotImplementedBackward, step, (input, values), operation=operation)


def _heaviside_in_place(input: Tensor, values: Tensor) -> Tensor:
    return _heaviside(input, values, "heaviside_")


op("inplace", name="heaviside")(_heaviside_in_place)


nextafter = binary(
    "nextafter",
    np.nextafter,
    lambda g, x, y, out: (lambda: chosen(x != y, g), lambda: zeros_like(g)),
    integers="kept",
    doc="The next number that the dtype has after `input` in the direction of `other`.",
)


def _of_whole_numbers(name: str, function: Callable[[Any, Any], Any]) -> Callable[[Tensor, Tensor], Tensor]:
    def call(input: Tensor, other: Tensor) -> Tensor:
        x, y = tensor_operands(input, other)
        if x.dtype.kind not in "iu":
            refuse_dtype(f"{name}_cpu", x.dtype)
        return Tensor._wrap(function(x, y))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"The {'greatest common divisor' if name == 'gcd' else 'least common multiple'} of whole numbers."
    return op(*METHOD)(call)


gcd = _of_whole_numbers("gcd", np.gcd)
lcm = _of_whole_numbers("lcm", np.lcm)
