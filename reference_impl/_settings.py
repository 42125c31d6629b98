"""Settings of torch: warnings given once or always; and what a NumPy engine only takes note of: threads, determinism."""

from __future__ import annotations

import os
import sys
import warnings

_PACKAGE = os.path.dirname(__file__) + os.sep
_threads = os.cpu_count() or 1
_deterministic = False
_warn_only = False


def get_num_threads() -> int:
    """The number last set; NumPy's own threads are set before it is imported, by OMP_NUM_THREADS and the like."""
    return _threads


def set_num_threads(num: int) -> None:
    """Remember the number.

    Raises:
        RuntimeError: not positive.
    """
    global _threads
    if num <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    _threads = num


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Remember the wish. On the CPU every algorithm here is deterministic."""
    global _deterministic, _warn_only
    _deterministic, _warn_only = bool(mode), bool(mode) and warn_only


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms(True)` was called last."""
    return _deterministic


_warn_always = False
_texts_warned_about: set[str] = set()


def set_warn_always(b: bool, /) -> None:
    """Whether warnings that torch gives once in a process are given every time.

    Raises:
        TypeError: `b` is no bool.
    """
    global _warn_always
    if not isinstance(b, bool):
        raise TypeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _warn_always = b


def is_warn_always_enabled() -> bool:
    """Whether `set_warn_always(True)` was called last."""
    return _warn_always


def warn_once(text: str, stacklevel: int) -> None:
    """A UserWarning, the first time that this process comes here with this `text`; `stacklevel` as seen by the caller."""
    if _warn_always or text not in _texts_warned_about:
        _texts_warned_about.add(text)
        warnings.warn(text, UserWarning, stacklevel=stacklevel + 1)


def warn_user(text: str, category: type[Warning] = UserWarning) -> None:
    """A warning at the line of the user's program, however deep in the engine it arises: as torch's C++ gives them."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)
