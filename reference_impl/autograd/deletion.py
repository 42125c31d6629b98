"""Delete a graph node by node, as deleteNode in torch/csrc/autograd/function.cpp.

A node refers to the nodes before it. When the last reference to a long chain disappears, the deletion of each node begins the
next one before it ends. CPython limits the depth of such nested deletions by the size of its stack. In a browser it does not know
that size, and deleting a chain of 3,000 operations ended the program.
"""

from __future__ import annotations

import sys
from typing import Any

from reference_impl.core.extensions import add_members
from reference_impl.core.node import Node


class _Deletion:
    """The objects that are queued for release, and whether a deletion is running."""

    def __init__(self) -> None:
        self.held: list[Any] = []
        self.running = False


_deletion = _Deletion()


def delete_node(node: Any) -> None:
    """Release the objects that a node holds; during another deletion, queue them. Installed as `Node.__del__` in browsers."""
    held = node.__dict__
    # The nodes before it, and its saved tensors, which hold nodes too.
    _deletion.held.append((held.pop("next_nodes", None), held.pop("saved", None)))
    if _deletion.running:
        return
    _deletion.running = True
    try:
        while _deletion.held:
            _deletion.held.pop()
    finally:
        _deletion.running = False


if sys.platform == "emscripten":
    add_members(Node, __del__=delete_node)
