"""What PyTorch accepts: signatures of its functions, and names that are absent here."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """Import the parser at the first wrong argument."""
    if name == "parser":
        return importlib.import_module("reference_impl.arguments.parser")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
