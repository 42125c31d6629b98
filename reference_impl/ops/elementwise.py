"""Functions of one operand, applied to each element: one statement per function.

    exp = elementwise("exp", np.exp, lambda g, x, y: g * y, saves="result")

says: torch's name, NumPy's function, and the gradient of the operand from the gradient `g` of the result, the operand `x`
and the result `y`. `saves` says which of the two the formula uses, so the other is not kept alive (it is passed as None).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl._dtype import get_default_dtype
from reference_impl._tensor import Tensor
from reference_impl.autograd.graph import Node
from reference_impl.autograd.recording import RESULT, record
from reference_impl.ops.registry import functions, op

Formula = Callable[[Tensor, Any, Any], Tensor]


def elementwise(
    name: str,
    function: Callable[[Any], Any],
    formula: Formula,
    *,
    saves: str = "",
    node_name: str | None = None,
    integers: str = "to float",
    aliases: tuple[str, ...] = (),
    doc: str | None = None,
) -> Callable[[Tensor], Tensor]:
    """Define and register one elementwise function.

    Args:
        name: torch's name of it.
        function: of an array, returning a new array.
        formula: gradient of the operand; see the head of this file.
        saves: "self", "result" or "" (the formula needs neither).
        node_name: the node's, if it is not `<Name>Backward0`.
        integers: "to float": integers and booleans are computed in the default dtype; "kept": in their own.
    """
    node_class = _node_class(node_name or name.title().replace("_", "") + "Backward0", formula, saves)
    saved: tuple[Any, ...] = (RESULT,) if saves == "result" else ()
    to_float = integers == "to float"

    def call(input: Tensor) -> Tensor:
        x = input._array
        if to_float and x.dtype.kind != "f":
            x = x.astype(get_default_dtype().numpy)
        return record(node_class, function(x), (input,), (input,) if saves == "self" else saved)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc or f"`{name}` of each element."
    return op("function", "method", "inplace", "function_inplace", "out", aliases=aliases)(call)


def _node_class(node_name: str, formula: Formula, saves: str) -> type[Node]:
    if saves == "result":
        def grad_self(self: Any, g: Tensor) -> Tensor:
            return formula(g, None, self._saved_result)
    elif saves == "self":
        def grad_self(self: Any, g: Tensor) -> Tensor:
            return formula(g, self._saved_self, None)
    else:
        def grad_self(self: Any, g: Tensor) -> Tensor:
            return formula(g, None, None)

    return type(node_name, (Node,), {"saved_names": (saves,) if saves else (), "grad_self": grad_self})


# -- exponentials and logarithms

exp = elementwise("exp", np.exp, lambda g, x, y: g * y, saves="result")
log = elementwise("log", np.log, lambda g, x, y: g / x, saves="self")
log2 = elementwise("log2", np.log2, lambda g, x, y: g / (x * math.log(2)), saves="self")
log10 = elementwise("log10", np.log10, lambda g, x, y: g / (x * math.log(10)), saves="self")
log1p = elementwise("log1p", np.log1p, lambda g, x, y: g / (x + 1), saves="self")
sqrt = elementwise("sqrt", np.sqrt, lambda g, x, y: g / (2 * y), saves="result")
rsqrt = elementwise("rsqrt", lambda x: 1 / np.sqrt(x), lambda g, x, y: -0.5 * g * y**3, saves="result")

# -- trigonometric and hyperbolic functions

sin = elementwise("sin", np.sin, lambda g, x, y: g * cos(x), saves="self")
cos = elementwise("cos", np.cos, lambda g, x, y: g * -sin(x), saves="self")
tanh = elementwise("tanh", np.tanh, lambda g, x, y: g * (1 - y * y), saves="result")

# -- activations

sigmoid = elementwise(
    "sigmoid", lambda x: 1 / (1 + np.exp(-x)), lambda g, x, y: g * ((1 - y) * y), saves="result"
)
relu = elementwise(
    "relu", lambda x: np.maximum(x, 0), lambda g, x, y: functions["where"](y <= 0, 0.0, g), saves="result", integers="kept"
)

# -- rounding and signs: staircases, whose gradient is 0

abs = elementwise("abs", np.abs, lambda g, x, y: g * sign(x), saves="self", integers="kept", aliases=("absolute",))
sign = elementwise("sign", np.sign, lambda g, x, y: g * 0, integers="kept")
floor = elementwise("floor", np.floor, lambda g, x, y: g * 0, integers="kept")
