"""Elementwise operations: arithmetic, exponentials, activations. Shapes broadcast, and gradients are summed to the shapes of inputs."""

import builtins
import math

import numpy as np

from reference_impl.core.declare import floating, operation, publish, unwrap
from reference_impl.core.extensions import extensions
from reference_impl.core.tensor import Tensor

extensions.define(exp=np.exp, log=np.log)  # `ops` rounds the last bit of float32 as torch does


@operation("AddBackward0", "add __add__ __radd__ add_ __iadd__", promotes=True,
           self=lambda g: g, other=lambda g, alpha: g if alpha == 1 else g * alpha)  # fmt: skip
def add(self, other, alpha=1):
    """`self + alpha · other`"""
    return self + (other if alpha == 1 else alpha * other)


@operation("SubBackward0", "sub __sub__ sub_ __isub__", promotes=True,
           self=lambda g: g, other=lambda g, alpha: -g if alpha == 1 else -g * alpha)  # fmt: skip
def sub(self, other, alpha=1):
    """`self - alpha · other`"""
    return self - (other if alpha == 1 else alpha * other)


@operation("RsubBackward1", "__rsub__", promotes=True, self=lambda g, alpha: -g if alpha == 1 else -g * alpha)
def rsub(self, other, alpha=1):
    """`other - alpha · self`, where `other` is a number"""
    return other - (self if alpha == 1 else alpha * self)


@operation("MulBackward0", "mul __mul__ __rmul__ mul_ __imul__", promotes=True,
           self=lambda g, other: g * other, other=lambda g, self: g * self)  # fmt: skip
def mul(self, other):
    """`self * other`"""
    return self * other


@operation("MulBackward1", promotes=True, self=lambda g, other: mul_number(g, other))
def mul_number(self, other):
    """`self · other`

    Formulas use this product with a number `other`. As in torch, it is recorded as MulBackward1, not as MulBackward0 like `mul`.
    """
    return self * other


@operation("DivBackward0", "div __truediv__ div_ __itruediv__", promotes=True,
           self=lambda g, other: g / other, other=lambda g, self, other: -g * ((self / other) / other))  # fmt: skip
def div(self, other):
    """`self / other`"""
    return np.divide(*[x if isinstance(x, (int, float)) else floating(x) for x in (self, other)])


@operation("DivBackward1", promotes=True, self=lambda g, other: div_number(g, other))
def div_number(self, other):
    """`self / other`

    Formulas use this quotient by a number `other`. As in torch, it is recorded as DivBackward1, not as DivBackward0 like `div`.
    """
    return np.divide(floating(self), other)


@operation("ReciprocalBackward0", "reciprocal reciprocal_", self=lambda g, result: -g * (result * result))
def reciprocal(self):
    """`1 / self`"""
    return 1 / floating(self)


publish(lambda self, number: reciprocal(self) * number, "__rtruediv__")


@operation("NegBackward0", "neg __neg__ neg_", self=lambda g: -g)
def neg(self):
    """`-self`"""
    return -self


def zeros_for(g):
    """`0`

    Return zeros in the shape of `g`: the gradient of an input on which the result does not depend. The product `g * 0` would be NaN
    where `g` is infinite or NaN.
    """
    return Tensor._wrap(np.zeros_like(g._array))


def pow_backward_self(g, self, exponent):
    """g · exponent · self^(exponent - 1), and 0 where exponent is 0"""
    if not isinstance(exponent, Tensor):
        return g * mul_number(self ** (exponent - 1), exponent) if exponent else zeros_for(g)
    return where(exponent == 0, 0, g * (exponent * self ** (exponent - 1)))


def pow_backward_exponent(g, self, exponent, result):
    """g · result · log(self)

    At self = 0 the logarithm is infinite, but the gradient is 0 for an exponent of 0 or more.
    """
    if isinstance(self, Tensor):
        return g * where((self == 0) * (exponent >= 0), 0, result * self.log())
    if self == 0:
        return where(exponent >= 0, 0, g * (result * -math.inf))
    return g * (result * (math.log(self) if self > 0 else math.nan))


@operation("PowBackward0", promotes=True, self=pow_backward_self)
def pow_tensor_scalar(self, exponent):
    """Raise a tensor to the power of a number."""
    return np.power(self, exponent)


@operation("PowBackward1", promotes=True, self=pow_backward_self, exponent=pow_backward_exponent)
def pow_tensor_tensor(self, exponent):
    """Raise a tensor to the power of a tensor."""
    return np.power(self, exponent)


@operation("PowBackward2", promotes=True, exponent=pow_backward_exponent)
def pow_scalar(self, exponent):
    """Raise a number to the power of a tensor."""
    return np.power(self, exponent)


def pow(self, exponent):
    """`self ** exponent`"""
    if not isinstance(exponent, Tensor):
        return pow_tensor_scalar(self, exponent)
    return pow_tensor_tensor(self, exponent) if isinstance(self, Tensor) else pow_scalar(self, exponent)


publish(pow, "pow __pow__ pow_ __ipow__")
publish(lambda self, base: pow(base, self), "__rpow__")


@operation("ExpBackward0", "exp exp_", self=lambda g, result: g * result)
def exp(self):
    """Return e to the power of each element."""
    return extensions.exp(floating(self))


@operation("LogBackward0", "log log_", self=lambda g, self: g / self)
def log(self):
    """Return the natural logarithm of each element."""
    return extensions.log(floating(self))


@operation("SqrtBackward0", "sqrt sqrt_", self=lambda g, result: g / (2 * result))
def sqrt(self):
    """Return the square root of each element."""
    return np.sqrt(floating(self))


@operation("SinBackward0", "sin sin_", self=lambda g, self: g * self.cos())
def sin(self):
    """Return the sine of each element."""
    return np.sin(floating(self))


@operation("CosBackward0", "cos cos_", self=lambda g, self: g * -self.sin())
def cos(self):
    """Return the cosine of each element."""
    return np.cos(floating(self))


@operation("TanhBackward0", "tanh tanh_", self=lambda g, result: tanh_backward(g, result))
def tanh(self):
    """Return the hyperbolic tangent of each element."""
    return np.tanh(floating(self))


@operation("TanhBackwardBackward0", grad_output=lambda g, output: tanh_backward(g, output),
           output=lambda g, grad_output, output: g * (-2 * output * grad_output))  # fmt: skip
def tanh_backward(grad_output, output):
    """`grad_output · (1 - output²)`"""
    return grad_output * (1 - output * output)


@operation("SigmoidBackward0", "sigmoid sigmoid_", self=lambda g, result: sigmoid_backward(g, result))
def sigmoid(self):
    """`1 / (1 + exp(-self))`"""
    return 1 / (1 + extensions.exp(-floating(self)))


@operation("SigmoidBackwardBackward0", grad_output=lambda g, output: sigmoid_backward(g, output),
           output=lambda g, grad_output, output: g * grad_output * (-2 * output + 1))  # fmt: skip
def sigmoid_backward(grad_output, output):
    """`grad_output · output · (1 - output)`"""
    return grad_output * (1 - output) * output


@operation("ReluBackward0", "relu relu_", self=lambda g, result: threshold_backward(g, result, 0))
def relu(self):
    """`self` where it is positive, 0 elsewhere

    NaN stays NaN. Raise RuntimeError for a tensor of booleans.
    """
    if self.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    return np.maximum(self, 0)


@operation("ThresholdBackwardBackward0", grad_output=lambda g, self, threshold: threshold_backward(g, self, threshold),
           self=lambda g: zeros_for(g))  # fmt: skip
def threshold_backward(grad_output, self, threshold):
    """`grad_output` where `self` is above `threshold`, 0 elsewhere

    Where `self` is NaN, the result is `grad_output`. This is the gradient of `threshold` and of `relu` (threshold 0).
    """
    return np.where(self <= threshold, grad_output.dtype.type(0), grad_output)


@operation("AbsBackward0", "abs __abs__ abs_", self=lambda g, self: g * self.sgn())
def abs(self):
    """Return the absolute value of each element."""
    return np.abs(self)


@operation("SgnBackward0", "sgn", self=lambda g, self, result: zeros_for(g))  # torch saves both, for complex numbers
def sgn(self):
    """Return -1, 0 or 1 for each element, its sign; 0 for NaN."""
    return np.greater(self, 0).astype(self.dtype) - np.less(self, 0)


@operation("SignBackward0", "sign", self=lambda g: zeros_for(g))
def sign(self):
    """Return -1, 0 or 1 for each element, its sign; 0 for NaN."""
    return np.greater(self, 0).astype(self.dtype) - np.less(self, 0)


@operation("WhereBackward0", promotes=True, without_gradient=["condition"],
           self=lambda g, condition: where(condition, g, 0), other=lambda g, condition: where(condition, 0, g))  # fmt: skip
def where_self(self, other, condition):
    """Return the elements of `self` where `condition` is True, those of `other` elsewhere."""
    return np.where(condition._array, self, other)


def where(condition, self, other):
    """`self` where `condition` holds, `other` elsewhere"""
    return where_self(self, other, condition)


# -- comparisons, which have no gradient


def comparison(ufunc, name: str):
    """Return a function that compares elementwise by `ufunc`. Add it to Tensor under two names, such as `lt` and `__lt__`."""

    def compare(self, other):
        return Tensor._wrap(ufunc(unwrap(self), unwrap(other)))

    return publish(compare, f"{name} __{name}__")


eq, ne, lt = comparison(np.equal, "eq"), comparison(np.not_equal, "ne"), comparison(np.less, "lt")
le, gt, ge = comparison(np.less_equal, "le"), comparison(np.greater, "gt"), comparison(np.greater_equal, "ge")


def equal(self, other) -> bool:
    """Return whether two tensors have the same shape and the same values."""
    return np.array_equal(self._array, other._array)


def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False) -> bool:
    """Return whether all differences of elements are at most `atol + rtol * |other|`. With `equal_nan`, NaN equals NaN."""
    return builtins.bool(np.allclose(self._array, other._array, rtol, atol, equal_nan))


publish(equal, "equal")
publish(allclose, "allclose")
