"""`torch.binomial`: numbers one by one, as torch's CPU generator draws them (ATen/native/Distributions.h), in float64.

In float32 with counts above some ten thousand, one number of some hundred is torch's plus or minus 1.

Where few successes are expected, by adding up the distances between them (Devroye 1986, X.4.3: geometric numbers); otherwise by
transformed rejection (Hörmann 1993, BTRS).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from reference_impl import _backend
from reference_impl._distributions import _fill, _log, unit64
from reference_impl._tensor import Tensor
from reference_impl.autograd.recording import record
from reference_impl.ops.not_implemented import NotImplementedBackward
from reference_impl.ops.registry import builtin
from reference_impl.ops.views import broadcast_tensors

Uniform = Callable[[], float]


@builtin
def binomial(count: Tensor, prob: Tensor, generator: Any = None) -> Tensor:
    """The number of successes among `count` trials with the probability `prob`; they broadcast. It cannot be differentiated.

    Raises:
        ValueError: `count` is not floating point.
        RuntimeError: two dtypes, or shapes that don't broadcast.
    """
    if count._array.dtype.kind != "f":
        raise ValueError(f"binomial only supports floating-point dtypes for count, got: {count.dtype.tensor_type}")
    if prob._array.dtype != count._array.dtype:
        raise RuntimeError(f"Found dtype {prob.dtype.tensor_type} but expected {count.dtype.tensor_type}")
    trials, chances = (_backend.to_numpy(t._array) for t in broadcast_tensors(count.detach(), prob.detach()))
    drawn = _backend.to_device_of(sample_binomial(trials, chances, generator), count._array)
    return record(NotImplementedBackward, drawn, (count, prob), operation="binomial")


def sample_binomial(counts: np.ndarray, probabilities: np.ndarray, generator: Any = None) -> np.ndarray:
    """The number of successes among `counts` trials with these `probabilities`, in their dtype; both of one shape."""
    if counts.dtype == np.float16:
        raise NotImplementedError("\"binomial_cpu\" not implemented for 'Half'")
    pairs = list(zip(counts.ravel().tolist(), probabilities.ravel().tolist(), strict=True))

    def values(impl: Any, n: int) -> np.ndarray:
        def uniform() -> float:
            return float(unit64(impl, 1)[0])

        return np.array([_binomial(uniform, count, p) for count, p in pairs])

    return _fill(np.empty(counts.shape, counts.dtype), generator, values)


def _binomial(uniform: Uniform, count: float, p: float) -> float:
    if count <= 0 or p <= 0:
        return 0.0
    if p >= 1:
        return count
    if p <= 0.5:
        return _successes(uniform, count, p)
    return count - _successes(uniform, count, 1 - p) if p > 0.5 else math.nan


def _successes(uniform: Uniform, count: float, p: float) -> float:
    return _by_rejection(uniform, count, p) if count * p >= 10 else _by_distances(uniform, count, p)


def _by_distances(uniform: Uniform, count: float, p: float) -> float:
    """How many distances between successes fit into `count` trials."""
    log_failure = math.log1p(-p)
    reached, successes = 0.0, 0
    while True:
        reached += math.ceil(_log(uniform()) / log_failure)
        if reached > count:
            return successes
        successes += 1


def _by_rejection(uniform: Uniform, count: float, p: float) -> float:
    spread = math.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    centre = count * p + 0.5
    accepted_at_once = 0.92 - 4.2 / b
    odds = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * spread
    mode = math.floor((count + 1) * p)
    while True:
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + centre)
        if us >= 0.07 and v <= accepted_at_once:
            return k
        if k < 0 or k > count:
            continue
        v = _log(v * alpha / (a / (us * us) + b))
        bound = (
            (mode + 0.5) * math.log((mode + 1) / (odds * (count - mode + 1)))
            + (count + 1) * math.log((count - mode + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            + _stirling_rest(mode)
            + _stirling_rest(count - mode)
            - _stirling_rest(k)
            - _stirling_rest(count - k)
        )
        if v <= bound:
            return k


def _stirling_rest(k: float) -> float:
    """What Stirling's approximation of log k! leaves out: log k! - ((k + 1/2) log(k + 1) - (k + 1) + log(2π) / 2)."""
    if k <= 9:
        return math.lgamma(k + 1) - ((k + 0.5) * math.log(k + 1) - (k + 1) + math.log(2 * math.pi) / 2)
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)
