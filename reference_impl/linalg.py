"""`torch.linalg`: the functions of `ops.linalg_*` and others, under their names there."""

from __future__ import annotations

from reference_impl.ops.linalg_checks import LinAlgError
from reference_impl.ops.registry import namespaces

globals().update(namespaces["linalg"])

__all__ = ["LinAlgError", *namespaces["linalg"]]
