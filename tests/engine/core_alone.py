"""Provide the core alone as an engine: of `reference_impl`, only the core and the modules that the core may use can be imported.

Import this module in a separate process: it replaces the package `reference_impl` in `sys.modules`.
"""

from __future__ import annotations

import importlib.abc
import sys
import types
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "reference_impl"
ALLOWED_MODULES = (
    "core",
    "_backend",  # returns the values for printing
    "_dtype", "_size", "_device", "_pickle_names",
    "_type_hints",  # only for type checkers
    "_tensor_str",  # printing
    "_tensor_attributes",  # what `tensor.__dict__` returns
    "rng",  # random numbers
)  # fmt: skip


class _RefuseOtherModules(importlib.abc.MetaPathFinder):
    """Refuses to import modules of `reference_impl` that the core must not use."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.startswith("reference_impl.") and name.split(".")[1] not in ALLOWED_MODULES:
            raise ImportError(f"the core must not import {name}")


def create_bare_package() -> types.ModuleType:
    """Create the package `reference_impl` without running its `__init__`."""
    package = types.ModuleType("reference_impl")
    package.__path__ = [str(PACKAGE)]
    return package


assert "reference_impl" not in sys.modules
sys.modules["reference_impl"] = create_bare_package()
sys.meta_path.insert(0, _RefuseOtherModules())

from core_names import *  # noqa: E402, F403
from core_names import __version__ as __version__  # noqa: E402
