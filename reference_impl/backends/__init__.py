"""`torch.backends`: the libraries below torch, and their switches.

The engine uses none of these libraries, only NumPy and CuPy: `is_available` says so (in PyTorch's CPU build MKL, oneDNN and OpenMP
are there), and the switches keep what they are set to without any effect. So programs that set them run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from reference_impl.backends import _precision, _switches, cuda, cudnn, mkl, mkldnn, mps, openmp, opt_einsum

__all__ = ["cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp", "opt_einsum"]


def disable_global_flags() -> None:
    """From now on switches are set by `with flags(...)` only."""
    _switches.frozen = True


def flags_frozen() -> bool:
    """Whether `disable_global_flags` was called."""
    return _switches.frozen


def set_flags(_fp32_precision: str | None = "none") -> tuple[str]:
    """Set `fp32_precision`; gives the value of before."""
    before = (_precision.word("generic", "all"),)
    if _fp32_precision is not None:
        _precision.set_word("generic", "all", _fp32_precision)
    return before


@contextmanager
def flags(fp32_precision: str | None = "none") -> Iterator[None]:
    """`fp32_precision` within a `with` block."""
    before = set_flags(fp32_precision)
    try:
        yield
    finally:
        set_flags(*before)


class GenericModule(_switches.SwitchModule):
    """`torch.backends` itself."""

    fp32_precision = _switches.precision("generic")


sys.modules[__name__].__class__ = GenericModule
