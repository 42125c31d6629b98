"""`torch.hann_window` and its like: windows for short-time Fourier transforms, as ATen/native/TensorFactories.cpp computes them.

A window of n points is symmetric, or it is the first n points of one of n + 1 (`periodic`, the default). `torch.signal.windows` has
newer functions for most of them, which differ in the last digit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reference_impl import _dtype
from reference_impl._device import chosen
from reference_impl._layout import strided
from reference_impl._tensor import Tensor
from reference_impl.autograd.grad_mode import no_grad
from reference_impl.ops.creation import ABSENT, finish, numpy_dtype, refuse_pinning
from reference_impl.ops.registry import builtin
from reference_impl.ops.special import i0


def _steps(name: str, length: Any, periodic: Any, options: dict[str, Any]) -> tuple[Any, int]:
    """0, 1, 2, ... and how many; of a periodic window one more than asked for. Windows of 0 and 1 points are ones.

    Raises:
        TypeError: arguments of other types, which the caller puts in torch's words.
        RuntimeError: a negative length, a dtype that is not floating point, pinned memory.
    """
    unknown = options.keys() - {"dtype", "layout", "device", "pin_memory", "requires_grad"}
    if unknown or type(length) is not int or type(periodic) is not bool:
        raise TypeError
    if options.get("pin_memory"):
        refuse_pinning()
    kind = numpy_dtype(options.get("dtype"), name)
    if kind.kind != "f":
        raise RuntimeError(f"{name} expects floating point dtypes, got: {_shown_options(kind, options)}")
    if length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={length}")
    if length < 2:
        return np.ones(length, kind), 0
    points = length + periodic
    return np.arange(points).astype(kind), points


def _shown_options(kind: np.dtype, options: dict[str, Any]) -> str:
    where = chosen(options.get("device"))
    layout = "Strided" if options.get("layout") is strided else "Strided (default)"
    return (
        f"TensorOptions(dtype={_dtype.from_numpy(kind).c_name}, device={where or 'cpu'}, layout={layout}, "
        "requires_grad=false (default), pinned_memory=false, memory_format=(nullopt))"
    )


def _finished(array: Any, length: int, options: dict[str, Any]) -> Tensor:
    return finish(array[:length], options.get("device"), bool(options.get("requires_grad")))


def _raised_cosine(name: str, length: Any, periodic: Any, alpha: Any, beta: Any, options: dict[str, Any]) -> Tensor:
    """alpha - beta cos(2π n / (N - 1))."""
    n, points = _steps(name, length, periodic, options)
    if points:
        n *= n.dtype.type(math.pi * 2.0 / (points - 1))
        n = np.cos(n) * n.dtype.type(-beta)
        n += n.dtype.type(alpha)
    return _finished(n, length, options)


@builtin
def hann_window(window_length: int, periodic: bool = True, **options: Any) -> Tensor:
    """(1 - cos(2π n / (N - 1))) / 2: (window_length).

    Args:
        periodic: N is window_length + 1, and the last point is left out.
        options: dtype (a floating-point one), layout, device, requires_grad.

    Raises:
        RuntimeError: a negative length, or a dtype that is not floating point.
        TypeError: arguments that torch does not take.
    """
    return _raised_cosine("hann_window", window_length, periodic, 0.5, 0.5, options)


@builtin
def hamming_window(
    window_length: int, periodic: bool = ABSENT, alpha: float = ABSENT, beta: float = ABSENT, **options: Any
) -> Tensor:
    """alpha - beta cos(2π n / (N - 1)), unless given with 0.54 and 0.46; otherwise as `hann_window`."""
    given = [value is not ABSENT for value in (periodic, alpha, beta)]
    if given != sorted(given, reverse=True):
        raise TypeError  # torch takes none of these without those before it
    whole = periodic if given[0] else True
    return _raised_cosine(
        "hamming_window", window_length, whole, alpha if given[1] else 0.54, beta if given[2] else 0.46, options
    )


@builtin
def bartlett_window(window_length: int, periodic: bool = True, **options: Any) -> Tensor:
    """A triangle: 1 - |2 n / (N - 1) - 1|; otherwise as `hann_window`."""
    n, points = _steps("bartlett_window", window_length, periodic, options)
    if points:
        n *= n.dtype.type(2.0 / (points - 1))
        falling = n[((points - 1) >> 1) + 1 :]
        falling *= -1
        falling += 2
    return _finished(n, window_length, options)


@builtin
def blackman_window(window_length: int, periodic: bool = True, **options: Any) -> Tensor:
    """0.42 - 0.5 cos(2π n / (N - 1)) + 0.08 cos(4π n / (N - 1)); otherwise as `hann_window`."""
    n, points = _steps("blackman_window", window_length, periodic, options)
    if points:
        kind = n.dtype.type
        n *= kind(math.pi / (points - 1))
        n = np.cos(n * kind(4)) * kind(0.08) - np.cos(n * kind(2)) * kind(0.5) + kind(0.42)
    return _finished(n, window_length, options)


@builtin
def kaiser_window(window_length: int, periodic: bool = ABSENT, beta: float = ABSENT, **options: Any) -> Tensor:
    """I0(beta √(1 - (2 n / (N - 1) - 1)²)) / I0(beta), beta 12 unless given; otherwise as `hann_window`."""
    if periodic is ABSENT and beta is not ABSENT:
        raise TypeError  # torch takes beta with periodic only
    n, points = _steps("kaiser_window", window_length, True if periodic is ABSENT else periodic, options)
    if points:
        wide = n.astype(np.float32) if n.dtype == np.float16 else n  # torch does not compute in half precision here
        kind = wide.dtype.type
        steepness = kind(12.0 if beta is ABSENT else beta)
        half = kind((points - 1) / 2.0)
        at = (wide - half) / half
        inner = steepness * np.sqrt(np.abs(kind(1) - at * at))
        n = (_i0(inner) / _i0(np.array(steepness))).astype(n.dtype)
    return _finished(n, window_length, options)


def _i0(x: Any) -> Any:
    with no_grad():
        return i0(Tensor._wrap(x))._array
