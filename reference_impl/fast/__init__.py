"""Faster replacements for functions of the core.

A replacement returns the same result as the function of the core, which is easier to read. With `REFERENCE_IMPL_FAST=0` in the
environment, nothing is replaced, and the engine is slower. tests/engine/test_core.py checks that the results are the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

INSTALLED: dict[str, Any] = {}
"""The replacements by the name of the replaced function, such as `core.record.record`."""


def replaces(original: Any) -> Callable[[Any], Any]:
    """Replace `original` by the decorated function in every module of the core that has imported it, unless `fast` is switched off."""

    def install(faster: Any) -> Any:
        if not is_switched_on():
            return faster
        INSTALLED[f"{original.__module__}.{original.__qualname__}".removeprefix("reference_impl.")] = faster
        for name, module in list(sys.modules.items()):
            if name.startswith("reference_impl.core."):
                for attribute, value in list(vars(module).items()):
                    if value is original:
                        setattr(module, attribute, faster)
        return faster

    return install


def replaces_method(cls: type, name: str) -> Callable[[Any], Any]:
    """Replace the method `name` of `cls`, a class of the core, by the decorated method, unless `fast` is switched off."""

    def install(faster: Any) -> Any:
        if is_switched_on():
            INSTALLED[f"core.{cls.__name__.lower()}.{cls.__name__}.{name}"] = getattr(faster, "__func__", faster)
            setattr(cls, name, faster)
        return faster

    return install


def is_switched_on() -> bool:
    """Return whether the environment allows the replacements."""
    return os.environ.get("REFERENCE_IMPL_FAST", "1") != "0"
