"""Delete the nodes of a graph one after the other, as deleteNode does in torch/csrc/autograd/function.cpp.

A node refers to the nodes of its inputs. When the last reference to a long chain of nodes disappears, the deletion of the first node
deletes the second, and so on, each deletion inside the one before. CPython limits the depth of nested deletions by the size of its
stack. In a browser it does not know this size, and deleting a chain of 3,000 operations ended the program.
"""

from __future__ import annotations

import sys
from typing import Any

from reference_impl.core.extensions import add_members
from reference_impl.core.node import Node


class _Deletion:
    """The queue of objects to release, and whether `delete_node` is releasing them now."""

    def __init__(self) -> None:
        self.held: list[Any] = []
        self.running = False


_deletion = _Deletion()


def delete_node(node: Any) -> None:
    """Release the objects that `node` holds; if another call is running, add them to the queue. In browsers this is `Node.__del__`."""
    held = node.__dict__
    # `saved` too, because saved tensors hold the nodes that computed them.
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
