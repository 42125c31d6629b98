"""`torch.special`: the engine's special functions, under the names that torch copied from SciPy."""

from __future__ import annotations

from typing import Any

from reference_impl.arguments.missing_names import absent
from reference_impl.ops import special as _special  # noqa: F401 (registers functions)
from reference_impl.ops.registry import namespaces

globals().update(namespaces["special"])


def __getattr__(name: str) -> Any:
    raise absent("torch.special", name)
