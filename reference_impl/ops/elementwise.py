"""Elementwise functions of one operand. Each function is defined by a statement such as this:

    exp = elementwise("exp", np.exp, lambda g, x, y: g * y, saves="result")

The arguments are torch's name, NumPy's function, and the formula of the gradient. The formula computes the gradient of the operand from
the gradient `g` of the result, the operand `x` and the result `y`. `saves` says whether it uses `x` ("self") or `y` ("result"). The node
saves only what the formula uses; the formula gets None in place of a value that is not saved.

Activations are in `activation`, erf and logit in `special`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import return_types
from reference_impl._layout import preserve_format
from reference_impl.core.declare import floating
from reference_impl.core.node import Node
from reference_impl.core.operations import arithmetic as core
from reference_impl.core.operations.arithmetic import mul_number
from reference_impl.core.record import record, record_many
from reference_impl.core.saving import RESULT, Result
from reference_impl.core.tensor import Tensor
from reference_impl.numerics import precision
from reference_impl.numerics.memory_order import copy_in_format
from reference_impl.numerics.precision import rounded_once
from reference_impl.ops.arithmetic import zeros_like
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import add_methods, op

Formula = Callable[[Tensor, Any, Any], Tensor]
Unary = Callable[[Tensor], Tensor]


_DESCRIPTIONS = {
    "exp2": "Return 2 to the power of each element.",
    "expm1": "Return `exp(x) - 1` of each element, also precise near 0.",
    "log2": "Return the logarithm to base 2 of each element.",
    "log10": "Return the logarithm to base 10 of each element.",
    "log1p": "Return `log(1 + x)` of each element, also precise near 0.",
    "rsqrt": "Return 1 divided by the square root of each element.",
    "tan": "Return the tangent of each element.",
    "asin": "Return the angle in radians, from -π/2 to π/2, whose sine is the element.",
    "acos": "Return the angle in radians, from 0 to π, whose cosine is the element.",
    "atan": "Return the angle in radians, between -π/2 and π/2, whose tangent is the element.",
    "deg2rad": "Convert each element from degrees to radians.",
    "rad2deg": "Convert each element from radians to degrees.",
    "sinh": "Return the hyperbolic sine of each element.",
    "cosh": "Return the hyperbolic cosine of each element.",
    "asinh": "Return the inverse hyperbolic sine of each element.",
    "acosh": "Return the inverse hyperbolic cosine of each element.",
    "atanh": "Return the inverse hyperbolic tangent of each element.",
    "abs": "Return the absolute value of each element.",
    "sign": "Return -1, 0 or 1: the sign of each element.",
    "sgn": "Return the sign of each element, as `sign` does; they differ only for complex numbers.",
    "floor": "Round each element down to an integer.",
    "ceil": "Round each element up to an integer.",
    "trunc": "Round each element towards 0.",
    "frac": "Return the fractional part of each element, with its sign.",
}


def elementwise(
    name: str,
    function: Callable[[Any], Any],
    formula: Formula | type[Node],
    *,
    saves: str = "",
    node_name: str | None = None,
    integers: str = "to float",
    aliases: tuple[str, ...] = (),
    variants: tuple[str, ...] = ("function", "method", "inplace", "function_inplace", "out"),
    doc: str | None = None,
) -> Callable[[Tensor], Tensor]:
    """Define and register an elementwise function, and return it.

    Args:
        name: torch's name of the function; "special.<name>" for a function of `torch.special`.
        function: function from an array to a new array.
        formula: gradient of the operand, see the docstring of this module; or a class of nodes from reference_impl/core.
        saves: the values that the formula uses: "self", "result", "self result" or "".
        node_name: class name of the node, if it is not `<Name>Backward0`.
        integers: "to float" converts integers and booleans to the default dtype, "kept" leaves their dtype as it is.
        aliases: more names of the function.
        variants: the forms of the function to register, see `registry.op`; empty for none.
        doc: docstring of the function, in place of that in _DESCRIPTIONS.
    """
    node_name = node_name or name.title().replace("_", "") + "Backward0"
    node_class = formula if isinstance(formula, type) else _node_class(node_name, formula, saves)
    saved: tuple[Any, ...] = (RESULT,) if saves.endswith("result") else ()
    to_float = integers == "to float"

    def call(input: Tensor) -> Tensor:
        x = input._array
        if to_float and x.dtype.kind != "f":
            x = floating(x)
        return record(node_class, function(x), (input,), saved if saves in ("", "result") else (input, *saved))

    call.__name__ = call.__qualname__ = name.split(".")[-1]
    call.__doc__ = doc or _DESCRIPTIONS.get(name, f"Return `{name}` of each element.")
    return op(*variants, name=name, aliases=aliases)(call) if variants else call


def _node_class(node_name: str, formula: Formula, saves: str) -> type[Node]:
    if saves == "result":

        def grad_self(self: Any, g: Tensor) -> Tensor:
            return formula(g, None, self._saved_result)
    elif saves == "self":

        def grad_self(self: Any, g: Tensor) -> Tensor:
            return formula(g, self._saved_self, None)
    elif saves:

        def grad_self(self: Any, g: Tensor) -> Tensor:
            return formula(g, self._saved_self, self._saved_result)
    else:

        def grad_self(self: Any, g: Tensor) -> Tensor:
            return formula(g, None, None)

    return type(node_name, (Node,), {"saved_names": tuple(saves.split()), "grad_self": grad_self})


def flat(g: Tensor, x: Any, y: Any) -> Tensor:
    """0 everywhere: the function is constant between its jumps."""
    return zeros_like(g)


def numbers_only(kernel: str, function: Callable[[Any], Any], kinds: str = "fiu") -> Callable[[Any], Any]:
    """Wrap a function of an array to raise torch's NotImplementedError for other dtypes than those of `kinds`.

    Args:
        kernel: torch's name of the kernel in the error.
        kinds: accepted kinds of dtypes, in NumPy's letters: "f" for floats, "i" and "u" for integers, "b" for booleans.
    """

    def check_and_apply(x: Any) -> Any:
        if x.dtype.kind not in kinds:
            refuse_dtype(kernel, x.dtype)
        return function(x)

    return check_and_apply


FORMS = op("function", "method", "inplace", "function_inplace", "out")

# -- exponentials and logarithms

exp = FORMS(core.exp)
exp2 = elementwise(
    "exp2", rounded_once(np.exp2), lambda g, x, y: mul_number(g * y, math.log(2)), saves="result",
    aliases=("special.exp2",),
)  # fmt: skip
expm1 = elementwise("expm1", precision.expm1, lambda g, x, y: g * (y + 1), saves="result", aliases=("special.expm1",))
log = FORMS(core.log)
log2 = elementwise("log2", rounded_once(np.log2), lambda g, x, y: g / (x * math.log(2)), saves="self")
log10 = elementwise("log10", rounded_once(np.log10), lambda g, x, y: g / (x * math.log(10)), saves="self")
log1p = elementwise("log1p", precision.log1p, lambda g, x, y: g / (x + 1), saves="self", aliases=("special.log1p",))

# -- powers and roots

sqrt = FORMS(core.sqrt)
rsqrt = elementwise("rsqrt", lambda x: 1 / np.sqrt(x), lambda g, x, y: -0.5 * g * y.pow(3), saves="result")

# -- trigonometric functions

sin = FORMS(core.sin)
cos: Unary = FORMS(core.cos)
tan = elementwise("tan", rounded_once(np.tan), lambda g, x, y: g * (1 + y.pow(2)), saves="result")
asin = elementwise(
    "asin", rounded_once(np.arcsin), lambda g, x, y: g * rsqrt(-x * x + 1), saves="self", aliases=("arcsin",)
)
acos = elementwise("acos", np.arccos, lambda g, x, y: g * -rsqrt(-x * x + 1), saves="self", aliases=("arccos",))
atan = elementwise("atan", rounded_once(np.arctan), lambda g, x, y: g / (x * x + 1), saves="self", aliases=("arctan",))
deg2rad = elementwise(
    "deg2rad", lambda x: x * x.dtype.type(math.pi / 180), lambda g, x, y: mul_number(g, math.pi / 180)
)
rad2deg = elementwise(
    "rad2deg", lambda x: x * x.dtype.type(180 / math.pi), lambda g, x, y: mul_number(g, 180 / math.pi)
)

# -- hyperbolic functions

sinh = elementwise("sinh", rounded_once(np.sinh), lambda g, x, y: g * cosh(x), saves="self")
cosh: Unary = elementwise("cosh", rounded_once(np.cosh), lambda g, x, y: g * sinh(x), saves="self")
asinh = elementwise("asinh", np.arcsinh, lambda g, x, y: g * rsqrt(x.pow(2) + 1), saves="self", aliases=("arcsinh",))
acosh = elementwise("acosh", np.arccosh, lambda g, x, y: g * rsqrt(x * x - 1), saves="self", aliases=("arccosh",))
atanh = elementwise("atanh", np.arctanh, lambda g, x, y: g * 1 / (1 - x.pow(2)), saves="self", aliases=("arctanh",))


tanh = FORMS(core.tanh)

# -- absolute value and sign


abs = elementwise(
    "abs",
    numbers_only("abs_cpu", np.abs),
    core.abs.node,
    saves="self",
    integers="kept",
    aliases=("absolute",),
)


def _sign(x: Any) -> Any:
    """Return the sign of each element as -1, 0 or 1. As in torch, that of NaN is 0."""
    if x.dtype.kind == "b":
        return x.copy()
    return np.sign(x) if x.dtype.kind != "f" else np.where(np.isnan(x), x.dtype.type(0), np.sign(x))


sign = elementwise("sign", _sign, core.sign.node, integers="kept")
sgn = elementwise("sgn", _sign, core.sgn.node, saves="self result", integers="kept")
angle = elementwise(
    "angle", lambda x: np.where(np.isnan(x), x, np.less(x, 0) * x.dtype.type(math.pi)), flat, saves="self",
    variants=("function", "method", "out"), doc="Return π where an element is negative, otherwise 0: the angle of a complex number. NaN stays NaN.",
)  # fmt: skip

# -- rounding


def _round_floats(name: str, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return numbers_only(
        name + "_vml_cpu", lambda x: function(x) if x.dtype.kind == "f" else copy_in_format(x, preserve_format)
    )


floor = elementwise("floor", _round_floats("floor", np.floor), flat, integers="kept")
ceil = elementwise("ceil", _round_floats("ceil", np.ceil), flat, integers="kept")
trunc = elementwise("trunc", _round_floats("trunc", np.trunc), flat, integers="kept", aliases=("fix",))
frac = elementwise("frac", numbers_only("frac_cpu", lambda x: x - np.trunc(x), "f"), lambda g, x, y: g, integers="kept")


class RoundBackward0(Node):
    """out = self rounded to integers:  ∂self = 0, because out is a step function."""

    def grad_self(self, g: Tensor) -> Tensor:
        """Return zeros."""
        return zeros_like(g)


class RoundBackward1(RoundBackward0):
    """out = self rounded to `decimals` decimal places:  ∂self = 0, because out is a step function."""

    decimals: int


@op("function", "method", "inplace", "function_inplace", "out", aliases=("special.round",))
def round(input: Tensor, *, decimals: int | None = None) -> Tensor:
    """Round to `decimals` decimal places: -1 rounds to tens, 0 and None to integers.

    A number half-way between two is rounded to the even one.

    Raises:
        NotImplementedError: `input` is boolean, or it has integers and `decimals` is neither 0 nor None.
    """
    x = input._array
    if decimals is None or (decimals == 0 and x.dtype.kind != "f"):
        return record(RoundBackward0, _round_floats("round", np.rint)(x), (input,))
    if x.dtype.kind != "f":
        refuse_dtype("round_cpu", x.dtype)
    scale = x.dtype.type(10.0 ** math.fabs(decimals))
    rounded = np.rint(x * scale) / scale if decimals >= 0 else np.rint(x / scale) * scale
    return record(RoundBackward1, rounded, (input,), decimals=decimals)


# -- values that are not finite


class NanToNumBackward0(Node):
    """out = self where self is finite:  ∂self = g where self is finite, 0 elsewhere."""

    saved_names = ("self",)

    def grad_self(self, g: Tensor) -> Tensor:
        """Return `g` times the mask of the finite elements."""
        return g * Tensor._wrap(np.isfinite(self._saved_self._array))


@op("function", "method", "inplace", "function_inplace", "out")
def nan_to_num(
    input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """Replace NaN by `nan` (0 by default), and infinities by `posinf` and `neginf` (by default, the limits of the dtype).

    For integers and booleans, return a copy.
    """
    x = input._array
    if x.dtype.kind != "f":
        return record(NanToNumBackward0, x.copy(), (input,))
    limits = np.finfo(x.dtype)
    replaced = np.nan_to_num(
        copy_in_format(x, preserve_format),
        copy=False,
        nan=0.0 if nan is None else nan,
        posinf=limits.max if posinf is None else posinf,
        neginf=limits.min if neginf is None else neginf,
    )
    return record(NanToNumBackward0, replaced, (input,), (input,))


class FrexpBackward0(Node):
    """self = mantissa · 2^exponent:  ∂self = g / 2^exponent."""

    saved_names = ("exponent",)

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradient of the input, or None if the mantissa receives none."""
        g = grads[0]
        return (None if g is None else g / exp2(self._saved_exponent),)


@op("function", "method", "out_exact")
def frexp(input: Tensor) -> Any:
    """Return the named tuple (mantissa, exponent) with input = mantissa · 2^exponent and 1/2 <= |mantissa| < 1, or 0 for 0.

    The exponent is int32.

    Raises:
        RuntimeError: `input` is not floating point.
    """
    if input._array.dtype.kind != "f":
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    mantissa, exponent = np.frexp(input._array)
    results = (mantissa, exponent.astype(np.int32))
    outs = record_many(FrexpBackward0, results, (input,), (Result(1),), (True, False))
    if outs[0]._grad_fn is not None:
        outs[0]._grad_fn.outputs = outs[0]._grad_fn.outputs[:1]  # as in torch, the node's only output is the mantissa
    return return_types.frexp(outs)


# -- unary plus


@op("function", "method")
def positive(input: Tensor) -> Tensor:
    """Return `input` itself.

    Raises:
        RuntimeError: `input` is boolean.
    """
    if input._array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


add_methods(__pos__=positive, __abs__=abs)

# -- in-place forms that torch records, but cannot differentiate


def _without_inplace_derivative(function: Callable[[Tensor], Tensor], array_function: Callable[[Any], Any]) -> None:
    name = function.__name__

    def apply(self: Node, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        raise NotImplementedError(f"the derivative for 'inplace version of {name}' is not implemented.")

    node = type(
        f"{name.title()}Backward1", (Node,), {"__doc__": "In place: torch has no gradient for it.", "apply": apply}
    )

    def call(input: Tensor) -> Tensor:
        return (
            record(node, array_function(input._array), (input,)) if input._array.dtype.kind == "f" else function(input)
        )

    call.__name__ = name
    op("inplace", "function_inplace", name=name, aliases=("arc" + name[1:],))(call)


_without_inplace_derivative(asinh, np.arcsinh)
_without_inplace_derivative(acosh, np.arccosh)
_without_inplace_derivative(atanh, np.arctanh)
