"""`torch.functional`: functions that torch defines in Python. All of them are in `torch` too."""

from __future__ import annotations

from typing import Any

from reference_impl.arguments import missing_names
from reference_impl.ops.registry import functions as _functions

_NAMES = (
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_shapes", "broadcast_tensors", "cdist", "meshgrid", "norm", "split",
    "unique",
)  # fmt: skip
globals().update({name: _functions[name] for name in _NAMES if name in _functions})


def __getattr__(name: str) -> Any:
    raise missing_names.absent("torch.functional", name)
