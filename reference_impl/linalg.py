"""`torch.linalg`: the functions of `ops.linalg_*` and others, under their names there."""

from __future__ import annotations

from typing import Any

from reference_impl._absent import absent
from reference_impl.ops.lazy_families import import_families
from reference_impl.ops.registry import namespaces

import_families("linalg")
globals().update(namespaces["linalg"])

__all__ = list(namespaces["linalg"])


def __getattr__(name: str) -> Any:
    raise absent("torch.linalg", name)
