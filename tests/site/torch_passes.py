"""Record the backward passes of programs on PyTorch with hooks: gradients that nodes receive, and .grad of leaves.

    python torch_passes.py A.py B.py

The command prints as JSON, for each path, a list of passes. A pass is a list of steps
[node, [received gradient, ...], .grad of a leaf or null].
"""

from __future__ import annotations

import contextlib
import io
import json
import multiprocessing
import sys
from typing import Any

import torch
from torch.autograd.graph import _engine_run_backward


class PassRecorder:
    """Records passes in place of the function with which `backward` and `grad` of torch start them."""

    def __init__(self) -> None:
        self.passes: list[list[Any]] = []

    def __call__(self, roots: tuple[torch.Tensor, ...], *arguments: Any, **options: Any) -> Any:
        steps: list[Any] = []
        handles: list[Any] = []
        for node in _nodes(roots):
            handles.append(node.register_prehook(_record_received(node, steps)))
            if node.name() == "torch::autograd::AccumulateGrad":
                handles.append(node.register_hook(_record_accumulated(node, steps)))
        try:
            result = _engine_run_backward(roots, *arguments, **options)
        finally:
            for handle in handles:
                handle.remove()
        self.passes.append(steps)
        return result


def _nodes(roots: tuple[torch.Tensor, ...]) -> list[Any]:
    """Return all nodes that can be reached from these roots."""
    nodes: list[Any] = []
    pending = [root.grad_fn for root in roots]
    while pending:
        node = pending.pop()
        if node is not None and node not in nodes:
            nodes.append(node)
            pending += [following for following, _ in node.next_functions]
    return nodes


def _record_received(node: Any, steps: list[Any]) -> Any:
    name = node.name().rpartition("::")[2]

    def hook(gradients: tuple[torch.Tensor | None, ...]) -> None:
        steps.append([name, [repr(g.detach()) for g in gradients if g is not None], None])

    return hook


def _record_accumulated(node: Any, steps: list[Any]) -> Any:
    def hook(*_: Any) -> None:
        steps[-1][2] = repr(node.variable.grad.detach())

    return hook


def record_passes(path: str) -> list[list[Any]]:
    """Run the program at `path`, which may end with an error, in this process. Return its passes."""
    torch.autograd._engine_run_backward = recorder = PassRecorder()
    with (
        open(path, encoding="utf-8") as file,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.suppress(Exception),
    ):
        exec(compile(file.read(), path, "exec"), {"__name__": "__main__"})
    return recorder.passes


if __name__ == "__main__":
    torch.set_num_threads(1)  # with more threads, forks may hang; each program runs in a separate fork
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        json.dump(dict(zip(sys.argv[1:], pool.map(record_passes, sys.argv[1:], chunksize=1), strict=True)), sys.stdout)
