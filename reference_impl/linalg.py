"""`torch.linalg`: the functions of `ops.linalg_*` and others, under their names there."""

from __future__ import annotations

from reference_impl.ops.lazy_families import import_families
from reference_impl.ops.linalg_checks import LinAlgError
from reference_impl.ops.registry import namespaces

import_families("linalg")
globals().update(namespaces["linalg"])

__all__ = ["LinAlgError", *namespaces["linalg"]]
