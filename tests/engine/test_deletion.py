"""A long graph is deleted without recursion, also where Python does not limit nested deletions, as in a browser."""

from __future__ import annotations

import gc
import weakref

import pytest

import reference_impl as torch
from reference_impl.autograd.deletion import _deletion, delete_node
from reference_impl.core.node import Node


@pytest.mark.parametrize("backward_ran", [True, False])
def test_a_long_chain_is_deleted_without_recursion(backward_ran: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    was_running: list[bool] = []  # for each deletion, whether another one was in progress

    def record_deletion(node: Node) -> None:
        was_running.append(_deletion.running)
        delete_node(node)

    gc.collect()  # delete graphs of other tests before counting
    monkeypatch.setattr(Node, "__del__", record_deletion, raising=False)
    x = torch.tensor(1.0, requires_grad=True)
    y, nodes = x, []
    for _ in range(2_000):
        y = (y * y).tanh()
        nodes.append(weakref.ref(y.grad_fn))
    if backward_ran:
        y.backward()
    del y
    assert all(node() is None for node in nodes)
    # The first deletion deletes all other nodes, one after the other, from its list of pending nodes.
    assert len(was_running) >= 4_000
    assert was_running.count(False) == 1
