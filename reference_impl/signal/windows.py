"""Window functions for spectral analysis. Each is a formula at M even steps, symmetric (`sym`) or one period of a periodic one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from reference_impl import _dtype
from reference_impl._dtype import get_default_dtype
from reference_impl._layout import strided
from reference_impl._tensor import Tensor
from reference_impl.ops.creation import empty, full, tensor
from reference_impl.ops.ranges import linspace
from reference_impl.ops.special import i0


def _checked(name: str, M: int, dtype: Any, layout: Any) -> Any:
    """The dtype of a window of `M` points.

    Raises:
        ValueError: a negative length, a layout other than strided, a dtype other than float32 and float64.
    """
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    kind = get_default_dtype() if dtype is None else dtype
    if kind not in (_dtype.float32, _dtype.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    return kind


def _steps(M: int, first: float, step: float, options: dict[str, Any]) -> Tensor:
    """first, first + step, ..., M numbers."""
    return linspace(first, first + (M - 1) * step, M, **options)


def _finished(window: Tensor, requires_grad: bool) -> Tensor:
    return window.requires_grad_() if requires_grad else window


def exponential(
    M: int, *, center: float | None = None, tau: float = 1.0, sym: bool = True, dtype: Any = None, layout: Any = strided,
    device: Any = None, requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """exp(-|n - center| / tau).

    Raises:
        ValueError: `tau` is not positive, or a center is given for a symmetric window.
    """
    options = {"dtype": _checked("exponential", M, dtype, layout), "device": device}
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    if M == 0:
        return empty((0,), requires_grad=requires_grad, **options)
    if center is None:
        center = (M if not sym and M > 1 else M - 1) / 2.0
    return _finished((-_steps(M, -center / tau, 1 / tau, options).abs()).exp(), requires_grad)


def cosine(
    M: int,
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """sin(π (n + 1/2) / M)."""
    options = {"dtype": _checked("cosine", M, dtype, layout), "device": device}
    if M == 0:
        return empty((0,), requires_grad=requires_grad, **options)
    step = math.pi / (M + 1 if not sym and M > 1 else M)
    return _finished(_steps(M, 0.5 * step, step, options).sin(), requires_grad)


def gaussian(
    M: int, *, std: float = 1.0, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """exp(-(n - center)² / (2 std²)).

    Raises:
        ValueError: `std` is not positive.
    """
    options = {"dtype": _checked("gaussian", M, dtype, layout), "device": device}
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    if M == 0:
        return empty((0,), requires_grad=requires_grad, **options)
    center = (M if not sym and M > 1 else M - 1) / 2.0
    step = 1 / (std * math.sqrt(2))
    return _finished((-(_steps(M, -center * step, step, options) ** 2)).exp(), requires_grad)


def kaiser(
    M: int, *, beta: float = 12.0, sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """I0(√(beta² - k²)) / I0(beta), k from -beta to beta.

    Raises:
        ValueError: `beta` is negative.
    """
    options = {"dtype": _checked("kaiser", M, dtype, layout), "device": device}
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M == 0:
        return empty((0,), requires_grad=requires_grad, **options)
    if M == 1:
        return full((1,), 1.0, requires_grad=requires_grad, **options)
    step = 2.0 * beta / (M if not sym else M - 1)
    k = linspace(-beta, min(beta, -beta + (M - 1) * step), M, **options)
    return _finished(i0((beta * beta - k**2).sqrt()) / i0(tensor(beta, **options)), requires_grad)


def general_cosine(
    M: int, *, a: Iterable[float], sym: bool = True, dtype: Any = None, layout: Any = strided, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Σ (-1)^i a_i cos(2π i n / (M - 1)).

    Raises:
        TypeError, ValueError: `a` is no sequence, or empty.
    """
    options = {"dtype": _checked("general_cosine", M, dtype, layout), "device": device}
    if M == 0:
        return empty((0,), requires_grad=requires_grad, **options)
    if M == 1:
        return full((1,), 1.0, requires_grad=requires_grad, **options)
    if not isinstance(a, Iterable):
        raise TypeError("Coefficients must be a list/tuple")
    weights: Sequence[float] = list(a)
    if not weights:
        raise ValueError("Coefficients cannot be empty")
    k = _steps(M, 0, 2 * math.pi / (M if not sym else M - 1), options)
    signed = tensor([(-1) ** i * w for i, w in enumerate(weights)], **options)
    waves = tensor([float(i) for i in range(len(weights))], **options).unsqueeze(-1) * k
    return _finished((signed.unsqueeze(-1) * waves.cos()).sum(0), requires_grad)


def general_hamming(M: int, *, alpha: float = 0.54, **options: Any) -> Tensor:
    """alpha - (1 - alpha) cos(2π n / (M - 1))."""
    return general_cosine(M, a=[alpha, 1.0 - alpha], **options)


def hamming(M: int, **options: Any) -> Tensor:
    """`general_hamming` with alpha 0.54."""
    return general_hamming(M, **options)


def hann(M: int, **options: Any) -> Tensor:
    """`general_hamming` with alpha 0.5."""
    return general_hamming(M, alpha=0.5, **options)


def blackman(M: int, *, dtype: Any = None, layout: Any = strided, **options: Any) -> Tensor:
    """`general_cosine` with 0.42, 0.5, 0.08."""
    _checked("blackman", M, dtype, layout)
    return general_cosine(M, a=[0.42, 0.5, 0.08], dtype=dtype, layout=layout, **options)


def nuttall(M: int, **options: Any) -> Tensor:
    """`general_cosine` with 0.3635819, 0.4891775, 0.1365995, 0.0106411."""
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], **options)


def bartlett(
    M: int,
    *,
    sym: bool = True,
    dtype: Any = None,
    layout: Any = strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """1 - |k|, k from -1 to 1."""
    options = {"dtype": _checked("bartlett", M, dtype, layout), "device": device}
    if M == 0:
        return empty((0,), requires_grad=requires_grad, **options)
    if M == 1:
        return full((1,), 1.0, requires_grad=requires_grad, **options)
    return _finished(1 - _steps(M, -1, 2 / (M if not sym else M - 1), options).abs(), requires_grad)
