"""Functions that stand in the place of some of the core's, which say the same more plainly.

Each names the one that it replaces, and gives what that gives, in less time. `REFERENCE_IMPL_FAST=0` in the environment leaves the
core as it is: slower by the factor that `bench/engine` shows, and otherwise the same, which tests/engine/test_core.py checks.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from reference_impl.core.extensions import put_twin, put_twin_method, twins

INSTALLED = twins
"""What was put in the place of what: by name, such as `core.record.record`."""


def replaces(original: Any) -> Callable[[Any], Any]:
    """Put the decorated function where the core has `original`."""

    def install(better: Any) -> Any:
        if switched_on():
            put_twin(original, better)
        return better

    return install


def replaces_method(cls: type, name: str) -> Callable[[Any], Any]:
    """Put the decorated method where the core's class has another."""

    def install(better: Any) -> Any:
        if switched_on():
            put_twin_method(cls, name, better)
        return better

    return install


def switched_on() -> bool:
    """Whether the environment asks for the engine as it is shipped."""
    return os.environ.get("REFERENCE_IMPL_FAST", "1") != "0"
