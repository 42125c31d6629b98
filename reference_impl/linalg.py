"""`torch.linalg`: the engine's functions of linear algebra, under the names that torch copied from NumPy."""

from __future__ import annotations

from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.ops import cross as _cross  # noqa: F401 (registers functions, as the next line does)
from reference_impl.ops import norm as _norm  # noqa: F401
from reference_impl.ops.decompositions import LinAlgError as LinAlgError
from reference_impl.ops.registry import namespaces

globals().update(namespaces["linalg"])


def __getattr__(name: str) -> Any:
    raise absent("torch.linalg", name)
