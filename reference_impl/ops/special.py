"""Special functions as operations: one statement per function, as in `elementwise`. The numerics are in `numerics`.

The names that begin with "special." are functions of `torch.special`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl._dtype import get_default_dtype
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import needs_grad, record
from reference_impl.ops import elementwise as _elementwise
from reference_impl.ops.activation import log_softmax, softmax
from reference_impl.ops.binary import METHOD, xlogy
from reference_impl.ops.elementwise import Unary, elementwise
from reference_impl.ops.extremes import chosen
from reference_impl.ops.numerics import bessel, error_function, gamma, polynomials
from reference_impl.ops.promotion import as_float, floating, operands, tensor_operands
from reference_impl.ops.reduction import logsumexp
from reference_impl.ops.registry import functions, namespaces, op
from reference_impl.ops.with_number import add_number, mul_number

# -- the error function and the normal distribution

_TWO_OVER_SQRT_PI = 2 / math.sqrt(math.pi)

erf = elementwise(
    "erf",
    error_function.erf,
    lambda g, x, y: _TWO_OVER_SQRT_PI * (-x.pow(2)).exp() * g,
    saves="self",
    aliases=("special.erf",),
)
erfc = elementwise(
    "erfc", error_function.erfc, lambda g, x, y: -_TWO_OVER_SQRT_PI * (-x.pow(2)).exp() * g, saves="self",
    aliases=("special.erfc",),
)  # fmt: skip
erfinv: Unary = elementwise(
    "erfinv", error_function.erfinv, lambda g, x, y: (0.5 * math.sqrt(math.pi)) * erfinv(x).pow(2).exp() * g, saves="self",
    aliases=("special.erfinv",),
)  # fmt: skip
erfcx = elementwise(
    "special.erfcx", error_function.erfcx, lambda g, x, y: (2.0 * x * y - _TWO_OVER_SQRT_PI) * g, saves="self result",
    variants=("function", "out"), node_name="SpecialErfcxBackward0",
)  # fmt: skip
ndtri = elementwise(
    "special.ndtri", error_function.ndtri, lambda g, x, y: g * math.sqrt(2 * math.pi) * (y.square() / 2).exp(), saves="result",
    variants=("function", "out"), node_name="SpecialNdtriBackward0",
)  # fmt: skip
log_ndtr = elementwise(
    "special.log_ndtr", error_function.log_ndtr,
    lambda g, x, y: g / math.sqrt(2 * math.pi) * (y + x.pow(2) / 2).neg().exp(), saves="self result",
    variants=("function", "out"), node_name="SpecialLogNdtrBackward0",
)  # fmt: skip


@op("function", "out", name="special.ndtr")
def ndtr(input: Tensor) -> Tensor:
    """The distribution function of the standard normal distribution: (1 + erf(x / √2)) / 2."""
    if not needs_grad(input):
        x = floating(input._array)
        return Tensor._wrap(error_function.ndtr(x))
    return mul_number(add_number(erf(mul_number(input, math.sqrt(0.5))), 1), 0.5)


# -- the gamma function


class PolygammaBackward0(Node):
    """out = the n-th derivative of digamma at self:  ∂self = g times the next derivative."""

    saved_names = ("self",)
    n: int

    def grad_self(self, g: Tensor) -> Tensor:
        return g * polygamma(self.n + 1, self._saved_self)


@op("function", "out", aliases=("special.polygamma",))
def polygamma(n: int, input: Tensor) -> Tensor:
    """The `n`-th derivative of digamma.

    Raises:
        RuntimeError: `n` is negative.
    """
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if n == 0:
        return digamma(input)
    x = floating(input._array)
    return record(PolygammaBackward0, gamma.polygamma(n, x), (input,), (input,), n=n)


lgamma = elementwise("lgamma", gamma.lgamma, lambda g, x, y: g * digamma(x), saves="self", aliases=("special.gammaln",))
digamma: Unary = elementwise(
    "digamma",
    gamma.digamma,
    lambda g, x, y: g * polygamma(1, x),
    saves="self",
    aliases=("special.digamma", "special.psi"),
)


def _polygamma_method(input: Tensor, n: int) -> Tensor:
    """`torch.polygamma(n, input)`."""
    return polygamma(n, input)


op("method", "inplace", name="polygamma")(_polygamma_method)


class MvlgammaBackward0(Node):
    """out = Σ lgamma(self + i) over p shifted arguments, plus a constant:  ∂self = g · Σ digamma of them."""

    saved_names = ("self",)
    p: int

    def grad_self(self, g: Tensor) -> Tensor:
        x = self._saved_self
        shifts = Tensor._wrap(_shifts(self.p, x._array))
        return g * digamma(x.unsqueeze(-1) + shifts).sum(-1)


def _shifts(p: int, like: Any) -> Any:
    """(1 - p) / 2, ..., -1/2, 0"""
    shifts = np.zeros_like(like, shape=(p,))
    shifts[...] = np.arange(p, like=like) * 0.5 + (0.5 - p * 0.5)
    return shifts


@op("function", "method", "out", aliases=("special.multigammaln",))
def mvlgamma(input: Tensor, p: int) -> Tensor:
    """The logarithm of the multivariate gamma function of dimension `p`.

    Raises:
        RuntimeError: `p` is below 1.
    """
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    x = floating(input._array)
    arguments = np.expand_dims(x, -1) + _shifts(p, x)
    total = np.sum(gamma.lgamma(arguments), axis=-1) + x.dtype.type(p * (p - 1) / 4 * math.log(math.pi))
    return record(MvlgammaBackward0, total, (input,), (input,), p=p)


def _mvlgamma_in_place(input: Tensor, p: int) -> Tensor:
    """As `mvlgamma`, for a tensor that can hold the result."""
    if input._array.dtype.kind != "f":
        given = input.dtype.tensor_type
        raise RuntimeError(
            f"mvlgamma: result type {given} can't be cast to the desired output type {get_default_dtype().tensor_type}"
        )
    return mvlgamma(input, p)


op("inplace", name="mvlgamma")(_mvlgamma_in_place)


class _IncompleteGamma(Node):
    """out = the incomplete gamma function:  ∂other = ± g · other^(self-1) e^-other / Γ(self); ∂self is not known to torch."""

    saved_names = ("self", "other")
    sign = 1

    def grad_self(self, g: Tensor) -> Tensor:
        raise NotImplementedError(f"the derivative for '{type(self).__name__[:-9].lower()}: input' is not implemented.")

    def grad_other(self, g: Tensor) -> Tensor:
        a, x = self._saved_self, self._saved_other
        slope = ((a - 1) * x.log() - x - lgamma(a)).exp()
        return g * slope if self.sign == 1 else -g * slope


class IgammaBackward0(_IncompleteGamma):
    """The lower one."""

    formulas = _IncompleteGamma.formulas


class IgammacBackward0(_IncompleteGamma):
    """The upper one."""

    formulas = _IncompleteGamma.formulas
    sign = -1


def _incomplete(name: str, function: Any, node: type[Node], alias: str) -> Any:
    def call(input: Tensor, other: Tensor) -> Tensor:
        x, y = as_float(*tensor_operands(input, other))
        return record(node, function(x, y), (input, other), (input, other))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"The regularised {'lower' if name == 'igamma' else 'upper'} incomplete gamma function of (input, other)."
    )
    return op(*METHOD, aliases=(alias,))(call)


igamma = _incomplete("igamma", gamma.gammainc, IgammaBackward0, "special.gammainc")
igammac = _incomplete("igammac", gamma.gammaincc, IgammacBackward0, "special.gammaincc")


class SpecialZetaBackward0(Node):
    """out = Σ 1 / (k + other)^self:  ∂other = -g · self · ζ(self + 1, other); ∂self is not known to torch."""

    saved_names = ("self", "other")
    number: Any = None

    def grad_self(self, g: Tensor) -> Tensor:
        raise NotImplementedError("the derivative for 'zeta' is not implemented.")

    def grad_other(self, g: Tensor) -> Tensor:
        x = self.number if self._saved_self is None else self._saved_self
        return g * -x * zeta(x + 1.0, self._saved_other)


class SpecialZetaBackward1(SpecialZetaBackward0):
    """With a number in the place of self."""

    def grad_other(self, g: Tensor) -> Tensor:
        return SpecialZetaBackward0.grad_other(self, g)


class SpecialZetaBackward2(SpecialZetaBackward0):
    """With a number in the place of other."""

    def grad_self(self, g: Tensor) -> Tensor:
        return SpecialZetaBackward0.grad_self(self, g)


@op("function", "out", name="special.zeta")
def zeta(input: Any, other: Any) -> Tensor:
    """Hurwitz' zeta function: Σ 1 / (k + other)^input over k >= 0."""
    x, y = as_float(*operands(input, other))
    value = gamma.zeta(x, y)
    if not isinstance(input, Tensor):
        return record(SpecialZetaBackward1, value, (other,), (None, other), number=input)
    if not isinstance(other, Tensor):
        return record(SpecialZetaBackward2, value, (input,), (None, None))
    return record(SpecialZetaBackward0, value, (input, other), (input, other))


# -- Bessel functions

i0 = elementwise("i0", bessel.i0, lambda g, x, y: g * i1(x), saves="self", aliases=("special.i0",))
i0e = elementwise(
    "special.i0e", bessel.i0e, lambda g, x, y: g * (i1e(x) - x.sgn() * y), saves="self result",
    variants=("function", "out"), node_name="SpecialI0EBackward0",
)  # fmt: skip
i1: Unary = elementwise(
    "special.i1", bessel.i1, lambda g, x, y: _i1_backward(g, x, y), saves="self result",
    variants=("function", "out"), node_name="SpecialI1Backward0",
)  # fmt: skip
i1e: Unary = elementwise(
    "special.i1e", bessel.i1e, lambda g, x, y: _i1e_backward(g, x, y), saves="self result",
    variants=("function", "out"), node_name="SpecialI1EBackward0",
)  # fmt: skip


def _away_from_zero(x: Tensor) -> tuple[Tensor, Tensor]:
    """Where `x` is not tiny, and `x` made harmless for a division there."""
    regular = x.abs() > float(np.finfo(x._array.dtype).eps)
    return regular, functions["where"](regular, x, float(np.finfo(x._array.dtype).eps))


def _i1_backward(g: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """y = i1 x,  y' = i0 - y / x, 1/2 at 0."""
    regular, safe = _away_from_zero(x)
    return g * functions["where"](regular, i0(safe) - y / safe, 0.5)


def _i1e_backward(g: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """y = i1e x,  y' = i0e - y (sign x + 1 / x), 1/2 at 0."""
    regular, safe = _away_from_zero(x)
    return g * functions["where"](regular, i0e(safe) - y * (safe.sgn() + safe.reciprocal()), 0.5)


def _undifferentiable(name: str, function: Any) -> Any:
    """A function of `torch.special` that torch keeps out of the graph."""

    def call(input: Tensor) -> Tensor:
        x = floating(input._array)
        return Tensor._wrap(function(x))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"The function {name} of each element; not differentiable."
    return op("function", "out", name=f"special.{name}")(call)


bessel_j0 = _undifferentiable("bessel_j0", bessel.bessel_j0)
bessel_j1 = _undifferentiable("bessel_j1", bessel.bessel_j1)
bessel_y0 = _undifferentiable("bessel_y0", bessel.bessel_y0)
bessel_y1 = _undifferentiable("bessel_y1", bessel.bessel_y1)
modified_bessel_i0 = _undifferentiable("modified_bessel_i0", bessel.i0)
modified_bessel_i1 = _undifferentiable("modified_bessel_i1", bessel.i1)
modified_bessel_k0 = _undifferentiable("modified_bessel_k0", bessel.modified_bessel_k0)
modified_bessel_k1 = _undifferentiable("modified_bessel_k1", bessel.modified_bessel_k1)
scaled_modified_bessel_k0 = _undifferentiable("scaled_modified_bessel_k0", bessel.scaled_modified_bessel_k0)
scaled_modified_bessel_k1 = _undifferentiable("scaled_modified_bessel_k1", bessel.scaled_modified_bessel_k1)
spherical_bessel_j0 = _undifferentiable("spherical_bessel_j0", bessel.spherical_bessel_j0)

# -- orthogonal polynomials


def _polynomial(name: str) -> Any:
    evaluate = polynomials.polynomial(name)

    def call(input: Any, n: Any) -> Tensor:
        return Tensor._wrap(evaluate(*as_float(*operands(input, n))))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"The polynomial {name} of `input`, of degree `n`."
    return op("function", "out", name=f"special.{name}")(call)


for _name in polynomials.RECURRENCES:
    _polynomial(_name)


# -- entropy, logit, sinc


def _entropy(x: Any) -> Any:
    positive = np.where(x > 0, x, x.dtype.type(1))
    return np.where(x > 0, -x * np.log(positive), np.where(x == 0, x.dtype.type(0), np.where(x < 0, -np.inf, x)))


entr = elementwise(
    "special.entr", lambda x: _entropy(x).astype(x.dtype, copy=False), lambda g, x, y: g * (-(1 + x.log())), saves="self",
    variants=("function", "out"), node_name="SpecialEntrBackward0",
)  # fmt: skip
sinc = elementwise(
    "sinc", np.sinc, lambda g, x, y: _sinc_backward(g, x), saves="self", aliases=("special.sinc",),
    doc="sin(πx) / (πx), 1 at 0.",
)  # fmt: skip


def _sinc_backward(g: Tensor, x: Tensor) -> Tensor:
    """(πx cos πx - sin πx) / (πx²), 0 at 0."""
    pi_x, pi_x2 = x * math.pi, x * x * math.pi
    return chosen(pi_x2 != 0, g * ((pi_x * pi_x.cos() - pi_x.sin()) / pi_x2))


class LogitBackward0(Node):
    """out = log(x / (1 - x)), x = self clipped to [eps, 1 - eps]:  ∂self = g / (self (1 - self)) inside that range."""

    saved_names = ("self",)
    eps: float | None

    def grad_self(self, g: Tensor) -> Tensor:
        x = self._saved_self
        slope = g / (x * (1.0 - x))
        if self.eps is None:
            return functions["where"]((x >= 0) & (x <= 1), slope, math.nan)
        return chosen((x >= self.eps) & (x <= 1 - self.eps), slope)


@op("function", "method", "inplace", "function_inplace", "out", aliases=("special.logit",))
def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """The inverse of sigmoid: log(x / (1 - x)), with x clipped to [eps, 1 - eps] where `eps` is given."""
    x = floating(input._array)
    clipped = x if eps is None else np.clip(x, x.dtype.type(eps), x.dtype.type(1 - eps))
    return record(LogitBackward0, np.log(clipped / (1 - clipped)), (input,), (input,), eps=eps)


# -- functions that torch.special only renames

namespaces["special"].update(
    {
        "softmax": softmax,
        "log_softmax": log_softmax,
        "logsumexp": logsumexp,
        "xlogy": xlogy,
        "exp2": _elementwise.exp2,
        "expm1": _elementwise.expm1,
        "log1p": _elementwise.log1p,
        "round": _elementwise.round,
    }
)
