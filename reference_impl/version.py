"""`torch.version`: the PyTorch version whose behaviour this engine follows. The attributes that describe a build are None or False."""

from __future__ import annotations

from reference_impl import __version__

__all__ = ["__version__", "debug", "cuda", "git_version", "hip", "rocm", "xpu"]
debug = False
cuda: str | None = None
git_version: str | None = None
hip: str | None = None
rocm: str | None = None
xpu: str | None = None
