"""The backward pass: a loop over a queue of ready nodes, never a recursion.

Before the loop, one walk over the graph counts how many gradients each node will receive. A node is ready when the last of them has
arrived. Of the ready nodes, leaves run first and then the node that was recorded last. This is torch's order, so hooks run in the
same order as in torch. See torch/csrc/autograd/engine.cpp, `Engine::execute` and `evaluate_function`.

In a first reading, assume that `needed` is None and `captures` is empty: they serve only passes with `inputs`. Without `inputs`, the
code under "second reading" never runs.
"""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import count
from operator import add, attrgetter
from typing import Any

from reference_impl.core.extensions import extensions, states
from reference_impl.core.modes import mode, switch
from reference_impl.core.node import Node

INVALID_GRAD = "Function {} returned an invalid gradient at index {} - got {} but expected shape compatible with {}"


arrivals = count()


class ReadyQueue(list[tuple[int, int, Node]]):
    """A heap of ready nodes. `pop` returns leaves first, in their order of arrival, then the node that was recorded last."""

    def push(self, node: Node) -> None:
        """Add a node that has received all its gradients."""
        heappush(self, (-node.sequence_number, next(arrivals), node))

    def pop(self) -> Node:  # type: ignore[override]
        """Remove and return the node with the highest sequence number."""
        return heappop(self)[-1]


# `autograd.ready_queue` replaces this heap: if several leaves are ready, torch's heap returns them in another order.
extensions.define(ready_queue=ReadyQueue)


def run_backward(edges: Sequence[Any], grads: Sequence[Any], *, retain_graph: bool | None = None,
                 create_graph: bool = False, inputs: Sequence[Any] = (), accumulate_grad: bool = True) -> list[Any]:  # fmt: skip
    """Run a backward pass that begins at `edges`, pairs (node, output number). Edge i receives the gradient `grads[i]`.

    With `inputs`, also a list of edges, only nodes on a path to one of them run. With `accumulate_grad`, the pass adds gradients to the
    `.grad` of leaves. Otherwise it returns the gradients of `inputs`, None for an input that the pass does not reach.
    `retain_graph` and `create_graph` are those of `differentiate.backward`.
    """
    retain = create_graph if retain_graph is None else retain_graph
    pass_class = extensions.observed_pass if states.observed else BackwardPass
    the_pass = pass_class([node for node, _ in edges], retain, inputs, accumulate_grad)
    recorded, outer, mode.backward_pass = mode.enabled, mode.backward_pass, the_pass
    switch(create_graph)
    try:
        the_pass.run(edges, grads)
    finally:
        mode.backward_pass = outer
        switch(recorded)
    return [the_pass.captures.get(edge) for edge in inputs]


class BackwardPass:
    """One backward pass: its state and its loop.

    Attributes:
        retain_graph: whether the nodes keep their saved values for another pass.
        dependencies: per node, how many gradients it still has to receive.
        received: per node, a list with the sum of the gradients received so far for each of its outputs; None before the first.
        ready: the queue of nodes whose gradients have all arrived.
        roots: the nodes where the pass begins.
        needed: the nodes that run because they lead to one of `inputs`; None if all nodes run.
        captures: per edge in `inputs`, the gradient to return; None until it arrives. Empty if the pass returns no gradients.
    """

    def __init__(self, roots: Sequence[Node], retain_graph: bool, inputs: Sequence[Any], accumulate_grad: bool) -> None:
        self.retain_graph, self.roots, self.dependencies = retain_graph, roots, count_dependencies(roots)
        self.received: dict[Node, list[Any]] = {}
        self.ready: Any = extensions.ready_queue()
        self.captures: dict[Any, Any] = {}
        self.needed: Any = None
        if inputs:
            self.restrict(inputs, accumulate_grad)

    def run(self, edges: Sequence[Any], grads: Sequence[Any]) -> None:
        """Run the pass from `edges`, which receive `grads`, until no node is ready."""
        for (node, output_nr), grad in zip(edges, grads, strict=True):
            self.receive(node, output_nr, grad)
        while self.ready:
            node = self.ready.pop()
            self.send(node, self.evaluate(node, self.received.pop(node)))

    def evaluate(self, node: Node, grads: list[Any]) -> tuple[Any, ...] | None:
        """Run a node and its hooks; free what it saved unless `retain_graph`. Return the gradients of its inputs; None if it is not run."""
        if self.needed is not None:
            results = self.capture_and_call(node, grads)
        else:
            results = self.call_function(node, grads) if node.has_hooks else node.apply(*grads)
        if results is not None and not self.retain_graph:
            node.release_variables()
        return results

    def call_function(self, node: Node, grads: list[Any]) -> tuple[Any, ...]:
        """Run `node` and its hooks in torch's order. Return the gradients of the node's inputs. `grads` are those of the node's outputs.

            1   hooks on the tensors that the node computed     may replace the gradients of these tensors in `grads`
            2   `retain_grad`                                   stores the gradients of these tensors in their `.grad`
            3   pre-hooks on the node                           may replace all of `grads`
            4   the node                                        computes the gradients of its inputs
            5   post-hooks on the node                          may replace the gradients of its inputs

        `capture_and_call` captures gradients for `inputs` before step 1.
        """
        self.call_tensor_pre_hooks(node, grads)
        for hook in list((node.pre_hooks or {}).values()):
            grads[:] = extensions.hook_result(tuple(grads), hook(tuple(grads)), hook)
        with extensions.unpack_hooks(node):
            results = node.apply(*grads) if self.needed is None else self.apply_needed(node, grads)
        if node.post_hooks:
            results = tuple([unbroadcast(node, index, grad) for index, grad in enumerate(results)])
            for hook in list(node.post_hooks.values()):
                results = extensions.hook_result(results, hook(results, tuple(grads)), hook)
        return results

    def call_tensor_pre_hooks(self, node: Node, grads: list[Any]) -> None:
        """Call the hooks on the tensors that a node computed (on its leaf, for AccumulateGrad). Their results replace entries of `grads`.

        Then set the `.grad` of tensors with `retain_grad`.
        """
        for output_nr, hooks in list((node.tensor_pre_hooks or {}).items()):
            for hook in list(hooks.values()):
                grads[output_nr] = extensions.hook_result(grads[output_nr], hook(grads[output_nr]), hook)
        for output_nr, retain in (node.retain_grad_hooks or {}).items():
            if grads[output_nr] is not None:
                retain(grads[output_nr])

    def send(self, node: Node, results: Any) -> None:
        """Send the gradient of each input to the node of this input, if the pass needs it. `results` is None if `node` did not run."""
        for index, target in enumerate(node.next_nodes):
            if target is not None and (self.needed is None or self.is_needed(target)):
                grad, output_nr = results[index], node.next_output_nrs[index] if node.next_output_nrs else 0
                if grad is not None and (grad._array.shape, grad._array.dtype) != target.outputs[output_nr]:
                    grad = unbroadcast(node, index, grad)
                self.receive(target, output_nr, grad)

    def receive(self, target: Node, output_nr: int, grad: Any) -> None:
        """Add `grad` (None counts as 0) to the gradient of output `output_nr` of `target`. After its last gradient, `target` is ready."""
        received = self.received.get(target)
        if received is None:
            received = self.received[target] = [None] * len(target.outputs)
        if grad is not None:
            received[output_nr] = grad if received[output_nr] is None else add_gradients(received[output_nr], grad)
        self.dependencies[target] -= 1
        if not self.dependencies[target]:
            self.ready.push(target)

    # -- second reading: only where `inputs` are listed

    def restrict(self, inputs: Sequence[Any], accumulate_grad: bool) -> None:
        """Limit the pass to nodes that lead to `inputs`, a list of edges.

        With `accumulate_grad`, the nodes of `inputs` run too, to set `.grad`. Otherwise `captures` gets an entry for each of these edges.
        """
        targets = {node for node, _ in inputs}
        self.needed = nodes_leading_to(targets, self.dependencies)
        if accumulate_grad:
            self.needed |= targets
        else:
            self.captures = dict.fromkeys(inputs)

    def capture_and_call(self, node: Node, grads: list[Any]) -> tuple[Any, ...] | None:
        """Store the gradients of `inputs` that have arrived at this node in `captures`. Then run the node if it is needed.

        Return the gradients of the inputs of `node`, or None if `node` does not run.

        As in torch, a captured gradient does not contain the results of hooks if the node runs, and contains them otherwise. For

            h = x * 3
            h.register_hook(lambda g: 10 * g)
            x.register_hook(lambda g: 10 * g)
            grad(h * 2, [h, x])

        the result is (2, 600). The node of `h` runs, because it leads to `x`: the captured gradient of `h` is 2, and only then its hook
        turns 2 into 20. The node of `x` does not run: its hook turns 60 into 600 before the capture.
        """
        runs = node in self.needed
        if not runs:
            self.call_tensor_pre_hooks(node, grads)
        for edge in self.captures.keys() & {(node, output_nr) for output_nr in range(len(grads))}:
            self.captures[edge] = extensions.to_leaf(node, grads[edge[1]])
        return self.call_function(node, grads) if runs else None

    def apply_needed(self, node: Node, grads: list[Any]) -> tuple[Any, ...]:
        """Run `node` for the gradients `grads` of its outputs, and return the gradients of its inputs.

        A node with one formula per input computes only the gradients that this pass uses, and returns None for the others. Any other
        node (with `apply`, or with one formula for a list of tensors) computes all, and `send` ignores those that are not used.
        """
        needs = [self.is_needed(target) for target in node.next_nodes]
        return node.gradients(grads, needs) if len(node.formulas) == len(needs) > 1 else node.apply(*grads)

    def is_needed(self, target: Node | None) -> bool:
        """Return whether this pass uses gradients of outputs of `target`: to run it, or to return them. False for None."""
        if target is None or self.needed is None:
            return target is not None
        return target in self.needed or any([(target, nr) in self.captures for nr in range(len(target.outputs))])


def add_gradients(a: Any, b: Any) -> Any:
    """Return `a + b`, without the steps that only a recorded sum needs."""
    return a + b if mode.enabled else a._wrap(add(*extensions.operands(a, b)))


def hook_result(before: Any, after: Any, hook: Any) -> Any:
    """Return the gradient after a hook: its result `after`, or the gradient `before` the hook if the result is None.

    (`autograd.hook_results` replaces this function by one that also checks shape and dtype.)
    """
    return before if after is None else after


extensions.define(hook_result=hook_result)


def unbroadcast(node: Node, index: int, grad: Any) -> Any:
    """Return `grad`, the gradient of input `index` of `node`, in the shape and dtype of that input.

    If the input was broadcast, `grad` has the larger shape of the result, and is summed down: (4, 3) -> (3,) for a bias of shape (3,).
    If `grad` is None, or the input needs no gradient, return `grad` unchanged.

    Raises:
        RuntimeError: the shape of the input does not broadcast to the shape of `grad`.
    """
    target, output_nr = node.next_functions[index]
    if grad is None or target is None:
        return grad
    (shape, dtype), sizes = target.outputs[output_nr], grad._array.shape
    if sizes != shape:
        if len(shape) > len(sizes) or any(n not in (1, m) for n, m in zip(shape[::-1], sizes[::-1], strict=False)):
            raise RuntimeError(INVALID_GRAD.format(node.name(), index, list(sizes), list(shape)))
        grad = grad.sum_to_size(shape) if shape else grad.sum()
    return grad if grad._array.dtype == dtype else grad._to_numpy_dtype(dtype)


def count_dependencies(roots: Sequence[Node]) -> dict[Node, int]:
    """Return how many gradients each node will receive. The gradient with which the pass begins at a root is one of them."""
    dependencies: dict[Node, int] = {}
    stack: list[Sequence[Node | None]] = [roots]
    while stack:
        for node in filter(None, stack.pop()):
            dependencies[node] = count = dependencies.get(node, 0) + 1
            if count == 1:
                stack.append(node.next_nodes)
    return dependencies


# -- second reading: only where `inputs` are listed


def nodes_leading_to(targets: set[Node], reached: Iterable[Node]) -> set[Node]:
    """Return the nodes among `reached` from which a path of one edge or more leads to a node in `targets`.

    An edge leads to a node that was recorded earlier and has a lower sequence number. So in the order of these numbers, each node comes
    after all nodes that it leads to. The nodes of leaves have the highest number, but they have no edges.
    """
    needed: set[Node] = set()
    for node in sorted(reached, key=attrgetter("sequence_number")):
        if any([next_node in needed or next_node in targets for next_node in node.next_nodes]):
            needed.add(node)
    return needed
