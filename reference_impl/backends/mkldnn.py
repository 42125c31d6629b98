"""`torch.backends.mkldnn`: switches of oneDNN, which the engine does not use. They keep what they are set to, without effect."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reference_impl.backends import _precision, _switches


def is_available() -> bool:
    """False: NumPy does not use oneDNN."""
    return False


def _allow_tf32(allowed: Any) -> None:
    _precision.check_bool("_set_onednn_allow_tf32", allowed)
    warnings.warn(
        "TF32 acceleration on top of oneDNN is available for Intel GPUs. The current Torch version does not have Intel GPU Support. "
        "(Triggered internally at /__w/pytorch/pytorch/aten/src/ATen/Context.cpp:265.)",
        stacklevel=1,
    )


_enabled = _switches.Switch(True, "set_enabled_mkldnn")
_deterministic = _switches.Switch(False, "set_deterministic_mkldnn")
_tf32 = _switches.Computed(lambda: None, _allow_tf32)
_fp32_precision = _switches.precision("mkldnn", set_for="generic")  # torch sets that of all backends here


class MkldnnModule(_switches.SwitchModule):
    """`torch.backends.mkldnn` itself."""

    enabled = _enabled
    deterministic = _deterministic
    allow_tf32 = _tf32
    fp32_precision = _fp32_precision


def set_flags(
    _enabled: bool | None = None, _deterministic: bool | None = None, _allow_tf32: bool | None = None,
    _fp32_precision: str | None = "none",
) -> tuple[Any, ...]:  # fmt: skip
    """Set the switches that are not None; gives the values of before."""
    enabled, deterministic, tf32 = (globals()[name] for name in ("_enabled", "_deterministic", "_tf32"))
    before = (enabled.read(), deterministic.read(), tf32.read(), _precision.word("mkldnn", "all"))
    for switch, value in ((enabled, _enabled), (deterministic, _deterministic), (tf32, _allow_tf32)):
        if value is not None:
            switch.set(value)
    if _fp32_precision is not None:
        _precision.set_word("mkldnn", "all", _fp32_precision)
    return before


@contextmanager
def flags(
    enabled: bool = False, deterministic: bool = False, allow_tf32: bool = True, fp32_precision: str = "none"
) -> Iterator[None]:
    """The switches within a `with` block."""
    before = set_flags(enabled, deterministic, allow_tf32, fp32_precision)
    try:
        yield
    finally:
        set_flags(*before)


matmul = _precision.FP32Precision("mkldnn", "matmul")
conv = _precision.FP32Precision("mkldnn", "conv")
rnn = _precision.FP32Precision("mkldnn", "rnn")

sys.modules[__name__].__class__ = MkldnnModule
