"""`torch.backends`: switches of libraries such as cuDNN, which the engine does not use.

Programs may query the libraries and set the switches, without effect.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.backends import cudnn

__all__ = ["cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp"]


def _absent(**switches: object) -> SimpleNamespace:
    return SimpleNamespace(is_available=lambda: False, **switches)


cuda = SimpleNamespace(is_built=lambda: False, matmul=SimpleNamespace(allow_tf32=False))
mkl, mkldnn, mps, openmp = _absent(), _absent(), _absent(is_built=lambda: False), _absent()


def __getattr__(name: str) -> Any:
    raise absent("torch.backends", name)
