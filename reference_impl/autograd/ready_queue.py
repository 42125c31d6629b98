"""The queue of nodes whose gradients are complete.

The node with the highest sequence number comes first. All leaves have the same number. If several leaves are ready, programs can see
their order, for example by hooks. torch keeps its queue in `std::priority_queue`. `_sift_up` and `_sift_down` do the same as the
functions in libstdc++'s bits/stl_heap.h, so that leaves leave the queue in the same order as in torch.
"""

from __future__ import annotations

from collections.abc import Iterator

from reference_impl.core.extensions import extensions
from reference_impl.core.node import Node


class ReadyQueue:
    """A binary max-heap of nodes, ordered by their sequence numbers."""

    __slots__ = ("heap",)

    def __init__(self) -> None:
        self.heap: list[Node] = []

    def __len__(self) -> int:
        return len(self.heap)

    def __iter__(self) -> Iterator[Node]:
        """Yield the nodes in the order in which `pop` would return them."""
        copy = ReadyQueue()
        copy.heap = list(self.heap)
        while copy.heap:
            yield copy.pop()

    def push(self, node: Node) -> None:
        """Add a node that has received all its gradients."""
        heap = self.heap
        last = len(heap)
        heap.append(node)
        if last and heap[(last - 1) // 2].sequence_number < node.sequence_number:
            self._sift_up(last, 0, node)

    def pop(self) -> Node:
        """Remove and return the node with the highest sequence number."""
        heap = self.heap
        last = heap.pop()
        if not heap:
            return last
        top = heap[0]
        if len(heap) == 1:
            heap[0] = last
        else:
            self._sift_down(last)
        return top

    def _sift_up(self, hole: int, top: int, node: Node) -> None:
        """Place `node` at index `hole` or above it, but not above `top`, as libstdc++'s `__push_heap` does."""
        heap, key = self.heap, node.sequence_number
        while hole > top:
            parent = (hole - 1) // 2
            if heap[parent].sequence_number >= key:
                break
            heap[hole] = heap[parent]
            hole = parent
        heap[hole] = node

    def _sift_down(self, node: Node) -> None:
        """Replace the root by `node`, as libstdc++'s `__adjust_heap` does: move larger children up, then let `node` rise from below."""
        heap, length = self.heap, len(self.heap)
        hole = child = 0
        while child < (length - 1) // 2:
            child = 2 * (child + 1)
            if heap[child].sequence_number < heap[child - 1].sequence_number:
                child -= 1
            heap[hole] = heap[child]
            hole = child
        if length % 2 == 0 and child == (length - 2) // 2:
            child = 2 * (child + 1)
            heap[hole] = heap[child - 1]
            hole = child - 1
        self._sift_up(hole, 0, node)


extensions.fill(ready_queue=ReadyQueue)
