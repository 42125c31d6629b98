"""`torch.utils`. Its parts are imported at their first use."""

from __future__ import annotations

import importlib
from types import ModuleType

from reference_impl.arguments.missing_names import absent

_PARTS = ("data", "hooks")


def __getattr__(name: str) -> ModuleType:
    if name in _PARTS:
        return importlib.import_module(f"reference_impl.utils.{name}")
    raise absent("torch.utils", name)
