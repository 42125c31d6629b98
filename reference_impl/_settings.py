"""Settings of torch: warnings once or always, and settings that have no effect on NumPy (threads, determinism)."""

from __future__ import annotations

import os
import sys
import warnings

_PACKAGE = os.path.dirname(__file__) + os.sep
_threads = os.cpu_count() or 1
_deterministic = False
_warn_only = False


def get_num_threads() -> int:
    """Return the stored number of threads. NumPy's own number comes from OMP_NUM_THREADS and the like, read at its import."""
    return _threads


def set_num_threads(num: int) -> None:
    """Store the number of threads, without effect on NumPy.

    Raises:
        RuntimeError: `num` is not positive.
    """
    global _threads
    if num <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    _threads = num


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Store the setting, which has no effect: on the CPU every algorithm here is deterministic."""
    global _deterministic, _warn_only
    _deterministic, _warn_only = bool(mode), bool(mode) and warn_only


def are_deterministic_algorithms_enabled() -> bool:
    """Return the last value passed to `use_deterministic_algorithms`."""
    return _deterministic


_warn_always = False
_texts_warned_about: set[str] = set()


def set_warn_always(b: bool, /) -> None:
    """Repeat warnings that torch gives once per process if `b` is True.

    Raises:
        TypeError: `b` is not a bool.
    """
    global _warn_always
    if not isinstance(b, bool):
        raise TypeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _warn_always = b


def is_warn_always_enabled() -> bool:
    """Return the last value passed to `set_warn_always`."""
    return _warn_always


def warn_once(text: str, stacklevel: int) -> None:
    """Emit a UserWarning the first time that the process warns with this `text`.

    `stacklevel` counts from the caller.
    """
    if _warn_always or text not in _texts_warned_about:
        _texts_warned_about.add(text)
        warnings.warn(text, UserWarning, stacklevel=stacklevel + 1)


def warn_user(text: str, category: type[Warning] = UserWarning) -> None:
    """Emit a warning at the line of the user's program, from any depth in the engine. torch's C++ does the same."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)
