"""`torch.utils`. Its modules, `data` and `hooks`, are imported when they are first used."""

from __future__ import annotations

import importlib
from types import ModuleType

from reference_impl.arguments.missing_names import absent

_MODULES = ("data", "hooks")


def __getattr__(name: str) -> ModuleType:
    if name in _MODULES:
        return importlib.import_module(f"reference_impl.utils.{name}")
    raise absent("torch.utils", name)
