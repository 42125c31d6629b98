"""`torch.signal`."""

from reference_impl.signal import windows

__all__ = ["windows"]
