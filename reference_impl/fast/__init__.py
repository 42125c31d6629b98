"""Faster replacements for functions of the core, which are easier to read.

Each names the function that it replaces, and returns the same in less time. With `REFERENCE_IMPL_FAST=0` in the environment the core
is unchanged: slower by the factor that `bench/engine` shows, and otherwise the same, which tests/engine/test_core.py checks.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from reference_impl.core.extensions import put_twin, put_twin_method, twins

INSTALLED = twins
"""The replacements by the name of the replaced function, such as `core.record.record`."""


def replaces(original: Any) -> Callable[[Any], Any]:
    """Replace the core's `original` by the decorated function."""

    def install(better: Any) -> Any:
        if switched_on():
            put_twin(original, better)
        return better

    return install


def replaces_method(cls: type, name: str) -> Callable[[Any], Any]:
    """Replace a method of the core's class by the decorated method."""

    def install(better: Any) -> Any:
        if switched_on():
            put_twin_method(cls, name, better)
        return better

    return install


def switched_on() -> bool:
    """Return whether the environment leaves the replacements on."""
    return os.environ.get("REFERENCE_IMPL_FAST", "1") != "0"
