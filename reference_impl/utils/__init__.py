"""`torch.utils`: its parts are imported when they are first used, as `torch.utils.data` without a further import shows."""

from __future__ import annotations

import importlib
from types import ModuleType

from reference_impl._absent import absent

_PARTS = ("data", "hooks")


def __getattr__(name: str) -> ModuleType:
    if name in _PARTS:
        return importlib.import_module(f"reference_impl.utils.{name}")
    raise absent("torch.utils", name)
