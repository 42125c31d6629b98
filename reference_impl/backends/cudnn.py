"""`torch.backends.cudnn`: switches that programs set, without effect."""

from __future__ import annotations

enabled = True
deterministic = False
benchmark = False
allow_tf32 = True


def is_available() -> bool:
    """Return False: the engine does not use cuDNN."""
    return False


def version() -> None:
    """Return None: there is no cuDNN."""
