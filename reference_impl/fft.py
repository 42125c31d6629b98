"""`torch.fft`: what of it is real. The transforms themselves give complex numbers, which are out of the engine's scope."""

from __future__ import annotations

from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.ops.ranges import arange
from reference_impl.ops.rearrangement import roll


def _dims(input: Tensor, dim: Any) -> list[int]:
    return list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)


def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The second half of each of `dim` (all if None) before the first: zero frequency in the middle."""
    dims = _dims(input, dim)
    return roll(input, [input.shape[d] // 2 for d in dims], dims)


def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """Undoes `fftshift`."""
    dims = _dims(input, dim)
    return roll(input, [(input.shape[d] + 1) // 2 for d in dims], dims)


def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """The frequencies of a transform of `n` points at distance `d`: 0, 1, ..., -2, -1 over n d."""
    numbers = ifftshift(arange(-(n // 2), (n + 1) // 2, dtype=dtype, device=device))
    return (numbers * (1.0 / (n * d))).requires_grad_(requires_grad)


def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """The frequencies that are not negative: 0, 1, ..., n / 2 over n d."""
    return (arange(0, n // 2 + 1, dtype=dtype, device=device) * (1.0 / (n * d))).requires_grad_(requires_grad)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"torch.fft.{name}: complex numbers are out of the scope of reference_impl")
