"""The backward pass: a loop over a queue of ready nodes, never a recursion.

First the nodes that can be reached are walked once, to count for each how many gradients it will receive. A node is ready
when the last of them has arrived. Of the ready nodes the one recorded last goes first (leaves before all), which is torch's
order, so hooks fire as they do there. See torch/csrc/autograd/engine.cpp, `Engine::execute` and `evaluate_function`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_impl.autograd import anomaly_mode
from reference_impl.autograd.grad_mode import mode, switch
from reference_impl.autograd.node import AccumulateGrad, Edge, Node
from reference_impl.autograd.ready_queue import ReadyQueue

if TYPE_CHECKING:
    from reference_impl._tensor import Tensor
    from reference_impl.autograd.trace import Trace

recorder: Trace | None = None
"""Set by `trace.record_backward` for the time of its block; the loop asks once per pass whether it is there."""


class GraphRoot(Node):
    """Starts a pass with several outputs: its "inputs" are the outputs to differentiate."""

    def __init__(self, edges: Sequence[Edge], grads: Sequence[Tensor]) -> None:
        self.next_edges = tuple(edges)
        self.grads = tuple(grads)

    def apply(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        return self.grads


def run_backward(
    edges: Sequence[Edge],
    grads: Sequence[Tensor],
    *,
    keep_graph: bool = False,
    create_graph: bool = False,
    inputs: Sequence[Edge] = (),
    accumulate_grad: bool = True,
) -> list[Tensor | None]:
    """Send `grads` into the graph at `edges` and on until the leaves.

    Args:
        edges: where the pass begins: (node, number of its output).
        grads: a gradient for each, of the shape of that output.
        keep_graph: keep the saved tensors for another pass.
        create_graph: record the backward pass itself, so that it can be differentiated.
        inputs: if given, only what leads to these edges runs.
        accumulate_grad: whether the pass fills the `.grad` of `inputs`; otherwise their gradients are returned.

    Returns:
        The gradients of `inputs` (None where the pass did not reach one); empty where `accumulate_grad` is set.
    """
    if len(edges) == 1:
        root, root_inputs = edges[0][0], {edges[0][1]: grads[0]}
    else:
        root, root_inputs = GraphRoot(edges, grads), {}
    pass_ = _Pass(root, keep_graph, inputs, accumulate_grad)
    previous, outer = mode.enabled, _running.current
    _running.current = pass_
    switch(create_graph, mode.inference)
    try:
        pass_.run(root_inputs)
    finally:
        switch(previous, mode.inference)
        _running.current = outer
    return [pass_.captured.get(edge) for edge in inputs] if not accumulate_grad else []


class _Running(threading.local):
    current: _Pass | None = None


_running = _Running()


def current_pass() -> _Pass:
    """The backward pass that this thread is in: for hooks.

    Raises:
        RuntimeError: it is in none.
    """
    if _running.current is None:
        raise RuntimeError("expected this hook to be called inside a backward call")
    return _running.current


class _Pass:
    """The state of one backward pass.

    Attributes:
        dependencies: per node, how many gradients are still to come.
        buffers: per node, the gradient received so far (of a node with several outputs, the list of them).
        sums: the nodes whose gradient in `buffers` is a sum made by this pass, which nobody else has seen.
        wanted: edges whose gradient is to be captured, by node; None when the whole graph runs.
        needed: the nodes that lead to a wanted edge; None when the whole graph runs.
    """

    def __init__(self, root: Node, keep_graph: bool, inputs: Sequence[Edge], accumulate_grad: bool) -> None:
        self.root = root
        self.keep_graph = keep_graph
        self.dependencies = count_dependencies(root)
        self.buffers: dict[Node, Any] = {}
        self.sums: set[Node] = set()
        self.captured: dict[Edge, Tensor | None] = {}
        self.wanted: dict[Node, list[int]] = {}
        self.needed: set[Node] | None = None
        self.recorder = recorder if recorder is not None and not recorder.steps else None
        if inputs:
            targets = {node for node, _ in inputs}
            self.needed = nodes_leading_to(root, targets)
            if accumulate_grad:
                self.needed |= targets
            else:
                for node, output_nr in inputs:
                    self.wanted.setdefault(node, []).append(output_nr)

    def will_execute(self, node: Node) -> bool:
        """Whether this pass reaches `node`."""
        if node not in self.dependencies:
            return False
        return self.needed is None or node in self.needed or node in self.wanted

    def run(self, root_inputs: dict[int, Tensor]) -> None:
        queue = ReadyQueue()
        heap, buffers, keep_graph = queue.heap, self.buffers, self.keep_graph
        plain = self.needed is None and self.recorder is None and not anomaly_mode.mode.enabled
        outputs = len(self.root.output_metadata) // 2
        buffers[self.root] = root_inputs[0] if outputs == 1 else [root_inputs.get(i) for i in range(outputs)]
        queue.push(self.root)
        if self.recorder is not None:
            self.recorder.begin(self.root, self.dependencies)
        while heap:
            node = queue.pop() if len(heap) > 1 else heap.pop()
            received = buffers.pop(node)
            if not plain or node.has_hooks:
                grads = received if received.__class__ is list else [received]
                received = None
                results = self.evaluate(node, grads, queue)
                del grads
            else:
                results = node.apply(*received) if received.__class__ is list else node.apply(received)
                received = None
                if not keep_graph:
                    node.release_variables()
            if results is not None:
                self.send(node, results, queue)
                results = None
        if self.recorder is not None:
            self.recorder.end()

    def evaluate(self, node: Node, grads: list[Tensor | None], queue: ReadyQueue) -> tuple[Tensor | None, ...] | None:
        """Run one node with its hooks; None where it does not lead to what was asked for."""
        if self.recorder is not None:
            self.recorder.take(node, grads, queue)
        _call_pre_hooks(node, grads)
        for output_nr in self.wanted.get(node, ()):
            grad = grads[output_nr]
            self.captured[node, output_nr] = (
                node.on_its_device(grad) if grad is not None and isinstance(node, AccumulateGrad) else grad
            )
        if self.needed is not None and node not in self.needed:
            return None
        if node.pre_hooks:
            for pre_hook in list(node.pre_hooks.values()):
                replaced = pre_hook(tuple(grads))
                if replaced is not None:
                    _check_hook_results(grads, replaced, pre_hook)
                    grads = list(replaced)
        if anomaly_mode.mode.enabled:
            results = anomaly_mode.evaluate(node, grads, self.apply)
        else:
            results = self.apply(node, grads)
        if node.post_hooks:
            results = _validated(node, results)
            for post_hook in list(node.post_hooks.values()):
                replaced = post_hook(results, tuple(grads))
                if replaced is not None:
                    _check_hook_results(results, replaced, post_hook)
                    results = replaced
        if not self.keep_graph:
            node.release_variables()
        return results

    def leads_on(self, target: Node | None) -> bool:
        """Whether a gradient for `target` is of use in this pass."""
        if target is None:
            return False
        return self.needed is None or target in self.needed or target in self.wanted

    def apply(self, node: Node, grads: list[Tensor | None]) -> tuple[Tensor | None, ...]:
        """The gradients that `node` makes; of a node with a formula per input only those that are of use in this pass."""
        if node.has_hooks and node.saved:
            with node.unpacked():
                return self.apply_unpacked(node, grads)
        return self.apply_unpacked(node, grads)

    def apply_unpacked(self, node: Node, grads: list[Tensor | None]) -> tuple[Tensor | None, ...]:
        """As `apply`, once hooks on what the node saved have been called."""
        if self.needed is not None and node.by_formulas and grads[0] is not None:
            wanted = [self.leads_on(target) for target in node.next_nodes]
            if not all(wanted):
                return node.apply_some(grads[0], wanted)
        return node.apply(grads[0]) if len(grads) == 1 else node.apply(*grads)

    def add(self, target: Node, received: Tensor, grad: Tensor) -> Tensor:
        """The sum of two gradients for `target`: in place from the third on, unless the pass itself is recorded."""
        if target in self.sums:
            np.add(received._array, grad._array, received._array)
            return received
        if not mode.enabled:
            self.sums.add(target)
            x, y = received._array, grad._array
            if x.__class__ is y.__class__ is np.ndarray and x.flags.c_contiguous:
                return received._wrap(x + y)
        return received + grad

    def send(self, node: Node, results: tuple[Tensor | None, ...], queue: ReadyQueue) -> None:
        """Hand each gradient to the node before; a node whose last gradient this is becomes ready."""
        dependencies, buffers, needed = self.dependencies, self.buffers, self.needed
        targets = node.next_nodes
        if len(results) < len(targets):
            raise RuntimeError(_incorrect_number(node, results))
        recorder, heap = self.recorder, queue.heap
        for index, target in enumerate(targets):
            if target is None or (needed is not None and not self.leads_on(target)):
                continue
            grad, output_nr, metadata = results[index], 0, target.output_metadata
            if len(metadata) == 2:  # one output, so that no list is needed
                if grad is not None:
                    array = grad._array
                    if array.shape != metadata[0] or array.dtype is not metadata[1]:
                        grad = _fitted(node, index, grad, *metadata)
                received = buffers.get(target)
                if received is None:
                    buffers[target] = grad
                elif grad is not None:
                    buffers[target] = self.add(target, received, grad)
            else:
                output_nr = node.next_output_nrs[index] if node.next_output_nrs else 0
                grad = self.put(node, index, grad, target, output_nr)
            remaining = dependencies[target] = dependencies[target] - 1
            if recorder is not None:
                recorder.send(node, target, output_nr, grad, remaining)
            if remaining == 0:
                if heap:
                    queue.push(target)
                else:  # as mostly
                    heap.append(target)

    def put(self, node: Node, index: int, grad: Tensor | None, target: Node, output_nr: int) -> Tensor | None:
        """Add `grad`, number `index` of what `node` returned, to the gradients of the several outputs of `target`."""
        metadata = target.output_metadata
        received = self.buffers.get(target)
        if received is None:
            received = self.buffers[target] = [None] * (len(metadata) // 2)
        if grad is not None:
            grad = _fitted(node, index, grad, *metadata[2 * output_nr : 2 * output_nr + 2])
            already = received[output_nr]
            received[output_nr] = grad if already is None else already + grad
        return grad


def count_dependencies(root: Node) -> dict[Node, int]:
    """How many edges lead to each node that can be reached from `root`."""
    dependencies: dict[Node, int] = {root: 0}
    stack = [root]
    while stack:
        for node in stack.pop().next_nodes:
            if node is not None:
                if node in dependencies:
                    dependencies[node] += 1
                else:
                    dependencies[node] = 1
                    stack.append(node)
    return dependencies


def nodes_leading_to(root: Node, targets: set[Node]) -> set[Node]:
    """The nodes from which some node of `targets` can be reached by at least one edge."""
    needed: set[Node] = set()
    seen: set[Node] = {root}
    stack: list[tuple[Node, Any]] = [(root, iter(root.next_nodes))]
    while stack:
        node, children = stack[-1]
        for child in children:
            if child is None:
                continue
            if child in targets or child in needed:
                needed.add(node)
            if child not in seen:
                seen.add(child)
                stack.append((child, iter(child.next_nodes)))
                break
        else:
            stack.pop()
            if stack and node in needed:
                needed.add(stack[-1][0])
    return needed


def _call_pre_hooks(node: Node, grads: list[Tensor | None]) -> None:
    """Hooks on the tensors that this node made (on the leaf, for AccumulateGrad), then those that fill a kept `.grad`."""
    if node.tensor_pre_hooks:
        for output_nr, hooks in list(node.tensor_pre_hooks.items()):
            _call_tensor_hooks(hooks, grads, output_nr)
    if node.retain_grad_hooks:
        for output_nr, keep in node.retain_grad_hooks.items():
            if grads[output_nr] is not None:
                keep(grads[output_nr])


def _call_tensor_hooks(hooks: dict[int, Any], grads: list[Tensor | None], output_nr: int) -> None:
    for hook in list(hooks.values()):
        grad = grads[output_nr]  # None where only other outputs of the node were used
        replaced = hook(grad)
        if replaced is not None:
            _check_hook_result(grad, replaced, hook)
            grads[output_nr] = replaced


def _check_hook_results(originals: Sequence[Tensor | None], replaced: Any, hook: Any) -> None:
    """Whether a hook on a node may replace the gradients `originals` by what it returned.

    Raises:
        TypeError: it returned no tuple, or something else than tensors in it.
        RuntimeError: too few or too many, or one of another dtype or shape.
    """
    if not isinstance(replaced, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(replaced).__name__}'")
    if len(replaced) != len(originals):
        raise RuntimeError(
            f"hook '{_name_of(hook)}' has returned an incorrect number of values (got {len(replaced)}, but expected "
            f"{len(originals)})"
        )
    for original, new in zip(originals, replaced, strict=True):
        if new is not None:
            _check_hook_result(original, new, hook)


def _name_of(hook: Any) -> str:
    name = getattr(hook, "__name__", None)
    return name if isinstance(name, str) else "<unknown>"


def _check_hook_result(original: Tensor | None, replaced: Any, hook: Any) -> None:
    name = _name_of(hook)
    if original is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not hasattr(replaced, "_array"):
        raise TypeError(f"expected Variable, but hook returned '{type(replaced).__name__}'")
    if replaced.dtype != original.dtype:
        raise RuntimeError(f"hook '{name}' has changed the type of value (was {original.type()} got {replaced.type()})")
    if replaced.shape != original.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")


def _validated(node: Node, results: Any) -> tuple[Tensor | None, ...]:
    """The gradients as the nodes before will receive them: what a hook on this node gets to see."""
    if len(results) < len(node.next_nodes):
        raise RuntimeError(_incorrect_number(node, results))
    fitted = list(results)
    for index, (target, output_nr) in enumerate(node.next_functions):
        if target is not None and results[index] is not None:
            shape, dtype = target.output_metadata[2 * output_nr : 2 * output_nr + 2]
            fitted[index] = _fitted(node, index, results[index], shape, dtype)
    return tuple(fitted)


def _incorrect_number(node: Node, results: Any) -> str:
    return (
        f"Function {node.name()} returned an incorrect number of gradients (expected {len(node.next_nodes)}, "
        f"got {len(results)})"
    )


def _fitted(node: Node, index: int, grad: Tensor, shape: tuple[int, ...], dtype: Any) -> Tensor:
    """`grad` in the shape and dtype of the tensor it is the gradient of.

    This is the one place where broadcasting is undone: a gradient that is larger than its input is summed down.
    """
    array = grad._array
    lead = array.ndim - len(shape)
    if lead > 0 and array.shape[lead:] == shape and not mode.enabled and array.dtype.char in "fd":  # a bias, a number
        grad = grad._wrap(np.add.reduce(array, axis=tuple(range(lead)) if shape else None))
    elif array.shape != shape:
        if not _is_expandable_to(shape, array.shape):
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {index} - got {list(array.shape)} but expected "
                f"shape compatible with {list(shape)}"
            )
        grad = grad.sum_to_size(shape) if shape else grad.sum()
    return grad if grad._array.dtype == dtype else grad._to_numpy_dtype(dtype)


def _is_expandable_to(shape: tuple[int, ...], desired: tuple[int, ...]) -> bool:
    if len(shape) > len(desired):
        return False
    return not shape or all(a in (1, b) for a, b in zip(reversed(shape), reversed(desired), strict=False))
