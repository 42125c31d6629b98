"""Puts all of it in place."""

from reference_impl.fast import nodes, passes, recording  # noqa: F401
