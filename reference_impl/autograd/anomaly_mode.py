"""Anomaly detection: a failing or nan-producing backward names the forward line that recorded it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from reference_impl.autograd.node import Node


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


def current_location() -> list[str]:
    """The stack of the caller, without the frames of this engine."""
    import traceback

    frames = traceback.extract_stack()
    return traceback.format_list([f for f in frames if "/reference_impl/" not in f.filename.replace("\\", "/")])


def evaluate(node: Node, grads: list[Any], apply: Callable[[Node, list[Any]], Any]) -> Any:
    """`apply(node, grads)`; where it raises or gives nan, warn with the place of the forward call first.

    Raises:
        RuntimeError: a gradient contains nan and `check_nan` is set.
    """
    try:
        results = apply(node, grads)
    except Exception:
        _warn(node)
        raise
    if mode.check_nan:
        for index, grad in enumerate(results):
            if grad is not None and grad._array.dtype.kind == "f" and bool(np.isnan(grad._array).any()):
                _warn(node)
                raise RuntimeError(f"Function '{node.name()}' returned nan values in its {index}th output.")
    return results


def _warn(node: Node) -> None:
    if node.forward_location is None:
        message = (
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
            "forward pass for more information."
        )
    else:
        message = f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n" + "".join(
            node.forward_location
        )
    warnings.warn(message, stacklevel=2)
