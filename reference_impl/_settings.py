"""Store torch's settings. The number of threads has no effect on NumPy."""

from __future__ import annotations

import os
import sys
import warnings

_PACKAGE = os.path.dirname(__file__) + os.sep
_threads = os.cpu_count() or 1
_deterministic = False


def get_num_threads() -> int:
    """Return the stored number of threads, at first the number of CPUs. NumPy does not use it, but reads OMP_NUM_THREADS."""
    return _threads


def set_num_threads(num: int) -> None:
    """Store the number of threads for `get_num_threads`. It has no effect on NumPy.

    Raises:
        RuntimeError: `num` is not positive.
    """
    global _threads
    if num <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    _threads = num


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Store `mode`. If it is True, functions such as `empty` fill uninitialized memory, see `ops.creation.fill_if_deterministic`.

    `mode` does not change the algorithms, because all are deterministic on the CPU. `warn_only` has no effect.
    """
    global _deterministic
    _deterministic = bool(mode)


def are_deterministic_algorithms_enabled() -> bool:
    """Return the last `mode` passed to `use_deterministic_algorithms`, at first False."""
    return _deterministic


_warn_always = False
_texts_warned_about: set[str] = set()


def set_warn_always(b: bool, /) -> None:
    """Choose whether warnings that torch emits once per process are emitted every time.

    Raises:
        TypeError: `b` is not a bool.
    """
    global _warn_always
    if not isinstance(b, bool):
        raise TypeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _warn_always = b


def is_warn_always_enabled() -> bool:
    """Return the last value passed to `set_warn_always`, at first False."""
    return _warn_always


def warn_once(text: str, stacklevel: int | None = None) -> None:
    """Emit a UserWarning with this `text`, but only once per process unless `set_warn_always(True)` was called.

    Args:
        stacklevel: as in `warnings.warn`: 1 is the line that calls `warn_once`. None is the innermost line outside the engine.
    """
    if _warn_always or text not in _texts_warned_about:
        _texts_warned_about.add(text)
        if stacklevel is None:
            warn_user(text)
        else:
            warnings.warn(text, UserWarning, stacklevel=stacklevel + 1)


def warn_user(text: str, category: type[Warning] = UserWarning) -> None:
    """Emit a warning of `category` with this `text` for the innermost line outside the engine, as torch's C++ code does."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)
