"""The queue of nodes whose gradients are complete.

The node with the highest sequence number comes first. All leaves have the same number. If several leaves are ready, programs can see
their order, for example by hooks. torch keeps its queue in `std::priority_queue`. `_sift_up` and `_sift_down` do the same as the
functions in libstdc++'s bits/stl_heap.h, so that leaves leave the queue in the same order as in torch.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_impl.core.extensions import extensions
from reference_impl.core.node import Node


class ReadyQueue(list[Node]):
    """A binary max-heap of nodes, ordered by their sequence numbers."""

    def __iter__(self) -> Iterator[Node]:
        """Yield the nodes in the order in which `pop` would return them."""
        copy = ReadyQueue(self[:])
        while copy:
            yield copy.pop()

    def push(self, node: Node) -> None:
        """Add a node that has received all its gradients."""
        last = len(self)
        self.append(node)
        if last and self[(last - 1) // 2].sequence_number < node.sequence_number:
            self._sift_up(last, 0, node)

    def pop(self) -> Node:  # type: ignore[override]
        """Remove and return the node with the highest sequence number."""
        last = list.pop(self)
        if not self:
            return last
        top = self[0]
        if len(self) == 1:
            self[0] = last
        else:
            self._sift_down(last)
        return top

    def _sift_up(self, hole: int, top: int, node: Node) -> None:
        """Place `node` at index `hole` or above it, but not above `top`, as libstdc++'s `__push_heap` does."""
        key = node.sequence_number
        while hole > top:
            parent = (hole - 1) // 2
            if self[parent].sequence_number >= key:
                break
            self[hole] = self[parent]
            hole = parent
        self[hole] = node

    def _sift_down(self, node: Node) -> None:
        """Replace the root by `node`, as libstdc++'s `__adjust_heap` does: move larger children up, then let `node` rise from below."""
        length = len(self)
        hole = child = 0
        while child < (length - 1) // 2:
            child = 2 * (child + 1)
            if self[child].sequence_number < self[child - 1].sequence_number:
                child -= 1
            self[hole] = self[child]
            hole = child
        if length % 2 == 0 and child == (length - 2) // 2:
            child = 2 * (child + 1)
            self[hole] = self[child - 1]
            hole = child - 1
        self._sift_up(hole, 0, node)


extensions.fill(ready_queue=ReadyQueue)
