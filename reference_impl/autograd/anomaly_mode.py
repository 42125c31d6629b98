"""Anomaly detection: a failing or nan-producing backward names the forward line that recorded it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from reference_impl.core import backward, record, saving
from reference_impl.core.backward import BackwardPass
from reference_impl.core.node import Node


class _Mode:
    __slots__ = ("enabled", "check_nan")

    def __init__(self) -> None:
        self.enabled = False
        self.check_nan = True


mode = _Mode()


def is_anomaly_enabled() -> bool:
    return mode.enabled


def is_anomaly_check_nan_enabled() -> bool:
    return mode.check_nan


class set_detect_anomaly:
    """Switch anomaly detection on or off, as a function or as a context manager.

    Args:
        mode: on or off.
        check_nan: raise where a backward produces nan.
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.previous = (globals()["mode"].enabled, globals()["mode"].check_nan)
        _set(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: Any) -> None:
        _set(*self.previous)


class detect_anomaly:
    """Context manager: each node remembers where it was recorded, and a backward that fails or gives nan says so."""

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.previous = (mode.enabled, mode.check_nan)
        _set(True, self.check_nan)

    def __exit__(self, *error: Any) -> None:
        _set(*self.previous)


def _set(enabled: bool, check_nan: bool) -> None:
    mode.enabled, mode.check_nan = enabled, check_nan
    record.on_record = _note_location if enabled else None
    saving.hint = _HINT if enabled else _plain_hint
    backward.pass_class = CheckedPass if enabled else _plain_pass


_plain_hint, _plain_pass = saving.hint, backward.pass_class


_HINT = (
    "the backtrace further above shows the operation that failed to compute its gradient. "
    "The variable in question was changed in there or anywhere later. Good luck!"
)


def _note_location(node: Node) -> None:
    """Remember the stack of the caller, without the frames of this engine."""
    import traceback  # here, since it costs as much as ten of the engine's modules, and few programs ask

    frames = traceback.extract_stack()
    outside = [f for f in frames if "/reference_impl/" not in f.filename.replace("\\", "/")]
    node.forward_location = traceback.format_list(outside)  # type: ignore[attr-defined]


class CheckedPass(BackwardPass):
    """A pass that says where an operation was called whose backward fails or gives nan."""

    def evaluate(self, node: Node, grads: list[Any]) -> tuple[Any, ...] | None:
        try:
            results = super().evaluate(node, grads)
        except Exception:
            _warn(node)
            raise
        if mode.check_nan:
            for index, grad in enumerate(results or ()):
                if grad is not None and grad._array.dtype.kind == "f" and bool(np.isnan(grad._array).any()):
                    _warn(node)
                    raise RuntimeError(f"Function '{node.name()}' returned nan values in its {index}th output.")
        return results


def _warn(node: Node) -> None:
    if not hasattr(node, "forward_location"):
        message = (
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
            "forward pass for more information."
        )
    else:
        message = f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n" + "".join(
            node.forward_location
        )
    warnings.warn(message, stacklevel=2)
