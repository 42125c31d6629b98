"""Householder reflections H = I - τ v vᵀ: `geqrf`, which finds those that make a matrix triangular, and their product."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_impl import _backend, return_types
from reference_impl._memory_order import column_major
from reference_impl._tensor import Tensor
from reference_impl.autograd.node import Node
from reference_impl.autograd.recording import RESULT, record, record_many
from reference_impl.ops.promotion import refuse_dtype
from reference_impl.ops.registry import functions, op


class GeqrfBackward0(Node):
    """No formula: torch has none either."""

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        raise RuntimeError("the derivative for 'geqrf' is not implemented.")


@op("function", "method", "out")
def geqrf(input: Tensor) -> Any:
    """A = Q R as LAPACK keeps it: R in the upper triangle, the reflections below the diagonal (their first element, 1, is left
    out), and their factors τ: (..., m, n) and (..., min(m, n)).

    Raises:
        RuntimeError: fewer than two dimensions.
        NotImplementedError: neither float32 nor float64.
    """
    x = input._array
    if x.ndim < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    _check_dtype("geqrf_cpu", x)
    a, tau = _reflections(x)
    return return_types.geqrf(record_many(GeqrfBackward0, (column_major(a), tau), (input,)))


@_backend.on_host
def _reflections(x: Any) -> tuple[Any, Any]:
    if not x.size:
        return x.copy(), np.zeros((*x.shape[:-2], min(x.shape[-2:])), x.dtype)
    transposed, tau = np.linalg.qr(x, "raw")  # type: ignore[call-overload]
    return np.swapaxes(transposed, -2, -1), tau


class LinalgHouseholderProductBackward0(Node):
    """Q_k = the first n columns of I, Q_i = H_i Q_{i+1}, out = Q_0. With g the gradient of Q_i, w = vᵀ Q_{i+1} and u = vᵀ g:

    ∂τ = -u wᵀ,  ∂v = -τ (g wᵀ + Q_{i+1} uᵀ),  and Q_{i+1} receives g - τ v u.
    """

    saved_names = ("input", "tau", "result")

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        (g,) = grads
        if g is None:
            return None, None
        self.check_saved()  # also the result, from which torch goes backwards
        reflections, tau = self._saved_input, self._saved_tau
        if not reflections.numel() or not tau.numel():
            return None, None
        steps, q = [], _first_columns(reflections)
        for v, t in reversed(_pairs(reflections, tau)):
            steps.append((v, t, q))
            q = q - t * (v @ (v.mT @ q))
        to_v: list[Tensor] = []
        to_tau: list[Tensor] = []
        for v, t, q in reversed(steps):
            w, u = v.mT @ q, v.mT @ g
            to_tau.append(-(u @ w.mT)[..., 0])
            to_v.append(-t * (g @ w.mT + q @ u.mT))
            g = g - t * (v @ u)
        idle = reflections.shape[-1] - len(steps)  # columns without a factor τ
        to_v += [functions["zeros_like"](to_v[0])] * idle
        return functions["cat"](to_v, -1).tril(-1), functions["cat"](to_tau, -1)


def _first_columns(reflections: Tensor) -> Tensor:
    m, n = reflections.shape[-2:]
    eye = functions["eye"](m, n, dtype=reflections.dtype, device=reflections.device)
    return eye.expand(reflections.shape)


def _pairs(reflections: Tensor, tau: Tensor) -> list[tuple[Tensor, Tensor]]:
    """The vectors v (..., m, 1), 0 above and 1 on the diagonal, and their factors (..., 1, 1)."""
    vectors = reflections.tril(-1) + _first_columns(reflections)
    return [(vectors[..., i : i + 1], tau[..., i, None, None]) for i in range(tau.shape[-1])]


@op("function", "out", name="linalg.householder_product")
def householder_product(input: Tensor, tau: Tensor) -> Tensor:
    """The first n columns of H_0 H_1 ... H_{k-1}: (..., m, n).

    Args:
        input: (..., m, n), m >= n, the vectors v below its diagonal; what else it holds is not read.
        tau: (..., k), k <= n, their factors.

    Raises:
        RuntimeError: shapes or dtypes that don't fit.
        NotImplementedError: neither float32 nor float64.
    """
    x, factors = input._array, tau._array
    _check_product(input, tau)
    eye = _backend.to_device_of(np.eye(*x.shape[-2:], dtype=x.dtype), x)
    vectors, q = np.tril(x, -1) + eye, np.broadcast_to(eye, x.shape).copy()
    for i in reversed(range(factors.shape[-1])):
        v = vectors[..., i : i + 1]
        q = q - factors[..., i, None, None] * (v @ (np.swapaxes(v, -2, -1) @ q))
    return record(LinalgHouseholderProductBackward0, column_major(q), (input, tau), (input, tau, RESULT))


op("function", "method", "out", name="orgqr")(householder_product)


def _check_product(input: Tensor, tau: Tensor) -> None:
    name, x, factors = "torch.linalg.householder_product", input._array, tau._array
    if x.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if x.shape[-2] < x.shape[-1]:
        raise RuntimeError(f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]")
    if x.shape[-1] < factors.shape[-1]:
        raise RuntimeError(f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    if x.ndim - factors.ndim != 1:
        raise RuntimeError(
            f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal to {factors.ndim} and "
            f"input.ndim is equal to {x.ndim}"
        )
    if x.ndim > 2 and factors.shape[:-1] != x.shape[:-2]:
        raise RuntimeError(
            f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {list(factors.shape[:-1])}"
        )
    if factors.dtype != x.dtype:
        raise RuntimeError(f"{name}: tau dtype {tau.dtype.c_name} does not match input dtype {input.dtype.c_name}")
    _check_dtype("orgqr_cpu", x)


def _check_dtype(kernel: str, x: Any) -> None:
    """Raises:
    NotImplementedError: neither float32 nor float64."""
    if x.dtype.kind != "f" or x.dtype == np.float16:
        refuse_dtype(kernel, x.dtype)
