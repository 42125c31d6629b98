"""`torch.backends.mps`: the GPU of a Mac, which the engine cannot use."""

from __future__ import annotations


def is_built() -> bool:
    """False."""
    return False


def is_available() -> bool:
    """False."""
    return False


def is_macos_or_newer(major: int, minor: int) -> bool:
    """Raises:
    RuntimeError: always."""
    raise RuntimeError("Cannot execute isOnMacOSorNewer() without MPS backend.")


def is_macos13_or_newer(minor: int = 0) -> bool:
    """Raises:
    RuntimeError: always."""
    return is_macos_or_newer(13, minor)
