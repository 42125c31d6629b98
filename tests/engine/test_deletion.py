"""A long graph is deleted without recursion, also where Python does not limit nested deletions, as in a browser."""

from __future__ import annotations

import gc
import weakref

import pytest

import reference_impl as torch
from reference_impl.autograd.deletion import _deletion, delete_node
from reference_impl.core.node import Node


@pytest.mark.parametrize("walked", [True, False])
def test_a_long_chain_is_deleted_without_recursion(walked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    nested: list[bool] = []

    def deleted(node: Node) -> None:
        nested.append(_deletion.running)
        delete_node(node)

    gc.collect()  # delete graphs of other tests before counting
    monkeypatch.setattr(Node, "__del__", deleted, raising=False)
    x = torch.tensor(1.0, requires_grad=True)
    y, nodes = x, []
    for _ in range(2_000):
        y = (y * y).tanh()
        nodes.append(weakref.ref(y.grad_fn))
    if walked:
        y.backward()
    del y
    assert all(node() is None for node in nodes)
    # Only the first deletion is not nested: all other nodes are deleted from the list of pending deletions.
    assert len(nested) >= 4_000
    assert nested.count(False) == 1
