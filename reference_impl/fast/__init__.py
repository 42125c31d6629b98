"""Functions that stand in the place of some of the core's, which say the same more plainly.

Each names the one that it replaces, and gives what that gives, in less time. `REFERENCE_IMPL_FAST=0` in the environment leaves the
core as it is: slower by the factor that `bench/engine` shows, and otherwise the same, which tests/engine/test_core.py checks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

INSTALLED: dict[str, Callable[..., Any]] = {}
"""What was put in the place of what: by name, such as `core.record.record`."""


def replaces(original: Any) -> Callable[[Any], Any]:
    """Put the decorated function or class where the core has `original`, in each of its modules that has imported it."""

    def install(better: Any) -> Any:
        if switched_on():
            place = f"{original.__module__}.{original.__qualname__}".removeprefix("reference_impl.")
            INSTALLED[place] = better
            for name, module in list(sys.modules.items()):
                if name.startswith("reference_impl.core."):
                    for attribute, value in list(vars(module).items()):
                        if value is original:
                            setattr(module, attribute, better)
        return better

    return install


def switched_on() -> bool:
    """Whether the environment asks for the engine as it is shipped."""
    return os.environ.get("REFERENCE_IMPL_FAST", "1") != "0"
