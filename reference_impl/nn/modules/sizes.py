"""Sizes given as one number or as one per dimension."""

from __future__ import annotations

from typing import Any


def as_tuple(value: Any, n: int) -> tuple[Any, ...]:
    """One number repeated n times; several as a tuple."""
    return tuple(value) if hasattr(value, "__iter__") else (value,) * n
