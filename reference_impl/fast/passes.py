"""A backward pass with a faster loop for most nodes, that is, for nodes with one output and no hooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reference_impl.core.backward import BackwardPass, unbroadcast
from reference_impl.core.extensions import extensions
from reference_impl.core.modes import mode
from reference_impl.core.node import Node
from reference_impl.core.tensor import Tensor
from reference_impl.fast import INSTALLED, is_switched_on


class FastPass(BackwardPass):
    """A faster pass with the same results. It replaces `core.backward.BackwardPass` in the slot `backward_pass`.

    For a node with one output, `received` holds the gradient itself, not a list.

    Attributes:
        sums: nodes whose gradient in `received` is a sum computed by `add`. No other code refers to the sum, so `add` may write into it.
    """

    received: dict[Node, Any]  # type: ignore[assignment]

    def run(self, edges: Sequence[Any], grads: Sequence[Any]) -> None:
        """Run the pass from `edges`, which receive `grads`, until no node is ready."""
        self.sums: set[Node] = set()
        queue, arrived, retain_graph = self.ready, self.received, self.retain_graph
        heap = queue.heap
        plain = self.needed is None
        for (root, output_nr), grad in zip(edges, grads, strict=True):
            self.receive(root, output_nr, grad)
        while heap:
            node = queue.pop() if len(heap) > 1 else heap.pop()
            grad = arrived.pop(node)
            if not plain or node.has_hooks:
                results = self.evaluate(node, grad if grad.__class__ is list else [grad])
            else:
                results = node.apply(*grad) if grad.__class__ is list else node.apply(grad)
                if not retain_graph:
                    node.release_variables()
            if results is not None:
                self.send(node, results)

    def receive(self, target: Node, output_nr: int, grad: Any) -> None:
        """Add `grad` to the sum for output `output_nr` of `target`. After the last gradient, `target` is ready."""
        single = len(target.outputs) == 1
        if single and target in self.received:
            self.received[target] = [self.received[target]]
        super().receive(target, output_nr, grad)
        if single:
            self.received[target] = self.received[target][0]

    def send(self, node: Node, results: tuple[Any, ...]) -> None:
        """Send each gradient in `results` to its next node. A node that has received its last gradient becomes ready."""
        dependencies, arrived, needed, heap = self.dependencies, self.received, self.needed, self.ready.heap
        targets = node.next_nodes
        for index, target in enumerate(targets):
            if target is None or (needed is not None and not self.is_needed(target)):
                continue
            grad, outputs = results[index], target.outputs
            if len(outputs) == 1:
                if grad is not None:
                    array = grad._array
                    shape, dtype = outputs[0]
                    if array.shape != shape or array.dtype is not dtype:
                        grad = unbroadcast(node, index, grad)
                before = arrived.get(target)
                if before is None:
                    arrived[target] = grad
                elif grad is not None:
                    arrived[target] = self.add(target, before, grad)
            else:
                output_nr = node.next_output_nrs[index] if node.next_output_nrs else 0
                listed = arrived.get(target)
                if listed is None:
                    listed = arrived[target] = [None] * len(outputs)
                if grad is not None:
                    grad, before = unbroadcast(node, index, grad), listed[output_nr]
                    listed[output_nr] = grad if before is None else before + grad
            remaining = dependencies[target] = dependencies[target] - 1
            if remaining == 0:
                if heap:
                    self.ready.push(target)
                else:  # as mostly
                    heap.append(target)

    def add(self, target: Node, before: Tensor, grad: Tensor) -> Tensor:
        """Return the sum of two gradients for `target`. From the third gradient on, add in place, unless the pass is recorded."""
        if target in self.sums:
            np.add(before._array, grad._array, before._array)
            return before
        if not mode.enabled:
            self.sums.add(target)
            x, y = before._array, grad._array
            if x.__class__ is y.__class__ is np.ndarray and x.flags.c_contiguous:
                return before._wrap(x + y)
        return before + grad


if is_switched_on():
    extensions.fill(backward_pass=FastPass)
    INSTALLED["core.backward.BackwardPass"] = FastPass
