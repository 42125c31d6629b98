"""Faster replacements for functions of the core, which are easier to read.

Each names the function that it replaces, and returns the same in less time. With `REFERENCE_IMPL_FAST=0` in the environment the core
is unchanged: slower by the factor that `bench/engine` shows, and otherwise the same, which tests/engine/test_core.py checks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

INSTALLED: dict[str, Any] = {}
"""The replacements by the name of the replaced function, such as `core.record.record`."""


def replaces(original: Any) -> Callable[[Any], Any]:
    """Replace `original` by the decorated function in every module of the core that has imported it."""

    def install(better: Any) -> Any:
        if not switched_on():
            return better
        INSTALLED[f"{original.__module__}.{original.__qualname__}".removeprefix("reference_impl.")] = better
        for name, module in list(sys.modules.items()):
            if name.startswith("reference_impl.core."):
                for attribute, value in list(vars(module).items()):
                    if value is original:
                        setattr(module, attribute, better)
        return better

    return install


def replaces_method(cls: type, name: str) -> Callable[[Any], Any]:
    """Replace a method of the core's class by the decorated method."""

    def install(better: Any) -> Any:
        if switched_on():
            INSTALLED[f"core.{cls.__name__.lower()}.{cls.__name__}.{name}"] = getattr(better, "__func__", better)
            setattr(cls, name, better)
        return better

    return install


def switched_on() -> bool:
    """Return whether the environment allows the replacements."""
    return os.environ.get("REFERENCE_IMPL_FAST", "1") != "0"
