"""`torch.functional`: functions that torch defines in Python. All of them are in `torch` too."""

from __future__ import annotations

import importlib
from typing import Any

from reference_impl.arguments import missing_names

__all__ = "atleast_1d atleast_2d atleast_3d broadcast_shapes broadcast_tensors cdist einsum meshgrid norm split unique".split()


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("reference_impl"), name)
    raise missing_names.absent("torch.functional", name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
