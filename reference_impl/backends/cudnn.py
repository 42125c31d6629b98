"""`torch.backends.cudnn`: switches of a library that the engine does not use. They keep what they are set to, without effect."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.backends import _precision, _switches

_KERNELS = ("auto", "cudnn", "native")
_depthwise_kernel = "auto"


def version() -> int | None:
    """None: there is no cuDNN."""
    return None


def is_available() -> bool:
    """False: there is no cuDNN, with CuPy neither."""
    return False


def is_acceptable(tensor: Tensor) -> bool:
    """False: cuDNN takes no tensor."""
    return False


def _set_depthwise_kernel(kernel: Any) -> None:
    global _depthwise_kernel
    if not isinstance(kernel, str):
        raise RuntimeError(f"set_cudnn_depthwise_kernel expects a string, but got {type(kernel).__name__}")
    if kernel not in _KERNELS:
        raise RuntimeError(f"Unknown cuDNN depthwise kernel mode: {kernel}. Expected one of: {', '.join(_KERNELS)}")
    _depthwise_kernel = kernel


_enabled = _switches.Switch(True, "set_enabled_cudnn")
_deterministic = _switches.Switch(False, "set_deterministic_cudnn")
_benchmark = _switches.Switch(False, "set_benchmark_cudnn")
_allow_tf32 = _switches.Computed(_precision.cudnn_allows_tf32, _precision.allow_tf32_for_cudnn)
_fp32_precision = _switches.precision("cuda")
_kernel = _switches.Computed(lambda: _depthwise_kernel, _set_depthwise_kernel)


class CudnnModule(_switches.SwitchModule):
    """`torch.backends.cudnn` itself."""

    enabled = _enabled
    deterministic = _deterministic
    benchmark = _benchmark
    allow_tf32 = _allow_tf32
    fp32_precision = _fp32_precision
    depthwise_kernel = _kernel


def set_flags(
    _enabled: bool | None = None, _benchmark: bool | None = None, _benchmark_limit: int | None = None,
    _deterministic: bool | None = None, _allow_tf32: bool | None = None, _fp32_precision: str | None = "none",
    _depthwise_kernel: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Set the switches that are not None; gives the values of before."""
    switches = ("_enabled", "_benchmark", "_deterministic", "_allow_tf32", "_fp32_precision", "_kernel")
    values = (_enabled, _benchmark, _deterministic, _allow_tf32, _fp32_precision, _depthwise_kernel)
    before = [globals()[name].read() for name in switches]
    for name, value in zip(switches, values, strict=True):
        if value is not None:
            globals()[name].set(value)
    return (*before[:2], None, *before[2:])  # the limit is only there with cuDNN


@contextmanager
def flags(
    enabled: bool = False, benchmark: bool = False, benchmark_limit: int = 10, deterministic: bool = False,
    allow_tf32: bool = True, fp32_precision: str = "none", depthwise_kernel: str = "auto",
) -> Iterator[None]:  # fmt: skip
    """The switches within a `with` block."""
    before = set_flags(enabled, benchmark, benchmark_limit, deterministic, allow_tf32, fp32_precision, depthwise_kernel)
    try:
        yield
    finally:
        set_flags(*before)


benchmark_limit = None
conv = _precision.FP32Precision("cuda", "conv")
rnn = _precision.FP32Precision("cuda", "rnn")

sys.modules[__name__].__class__ = CudnnModule
