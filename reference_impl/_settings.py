"""Settings of torch that a NumPy engine takes note of and has no use for: threads, determinism."""

from __future__ import annotations

import os

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


def get_num_interop_threads() -> int:
    """One: operations run one after the other."""
    return 1


def set_num_interop_threads(num: int) -> None:
    """Nothing to set."""


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Remember the wish. On the CPU every algorithm here is deterministic."""
    global _deterministic, _warn_only
    _deterministic, _warn_only = bool(mode), bool(mode) and warn_only


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms(True)` was called last."""
    return _deterministic


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether that was with `warn_only`."""
    return _warn_only


def set_flush_denormal(mode: bool) -> bool:
    """False: NumPy does not offer it."""
    return False
