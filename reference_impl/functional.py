"""`torch.functional`: functions that torch defines in Python. All of them are in `torch` too."""

from __future__ import annotations

from typing import Any

from reference_impl.arguments import missing_names
from reference_impl.ops import distance as _distance  # noqa: F401 (registers functions, as the next four do)
from reference_impl.ops import norm as _norm  # noqa: F401
from reference_impl.ops import pieces as _pieces  # noqa: F401
from reference_impl.ops import rearrangement as _rearrangement  # noqa: F401
from reference_impl.ops import sets as _sets  # noqa: F401
from reference_impl.ops.registry import functions as _functions

_NAMES = (
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_shapes", "broadcast_tensors", "cdist", "meshgrid", "norm", "split",
    "unique",
)  # fmt: skip
globals().update({name: _functions[name] for name in _NAMES if name in _functions})


def __getattr__(name: str) -> Any:
    raise missing_names.absent("torch.functional", name)
