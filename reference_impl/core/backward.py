"""The backward pass: a loop over a queue of ready nodes, never a recursion.

First the nodes that can be reached are walked once, to count for each how many gradients it will receive. A node is ready
when the last of them has arrived. Of the ready nodes the one recorded last goes first (leaves before all), which is torch's
order, so hooks fire as they do there. See torch/csrc/autograd/engine.cpp, `Engine::execute` and `evaluate_function`.

In a first reading, take `needed` for None and `captures` for empty: they serve only passes towards listed `inputs`. What is in the parts
called "second reading" then never runs.
"""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import count
from operator import attrgetter
from typing import Any

from reference_impl.core.extensions import extensions, states
from reference_impl.core.modes import mode, switch
from reference_impl.core.node import Node

UNFIT = "Function {} returned an invalid gradient at index {} - got {} but expected shape compatible with {}"


arrivals = count()


class ReadyQueue(list[tuple[int, int, Node]]):
    """A heap of nodes whose gradients have all arrived. The last recorded node leaves first; of leaves, the first arrival."""

    def push(self, node: Node) -> None:
        """Add a node."""
        heappush(self, (-node.sequence_number, next(arrivals), node))

    def pop(self) -> Node:  # type: ignore[override]
        """Remove and return the node with the highest sequence number."""
        return heappop(self)[-1]


# A slot: of several leaves torch takes another first, which depends on how its heap sorts.
extensions.define(ready_queue=ReadyQueue)


def run_backward(
    edges: Sequence[Any], grads: Sequence[Any], *, retain_graph: bool | None = None, create_graph: bool = False,
    inputs: Sequence[Any] = (), accumulate_grad: bool = True,
) -> list[Any]:  # fmt: skip
    """Run the backward pass from `edges`, pairs of a node and an output number, with the gradients `grads`, to the leaves.

    With `inputs`, which are edges too, only nodes that lead to them run. With `accumulate_grad` the pass fills the `.grad` of
    leaves, otherwise it returns the gradients of `inputs` (None for one that it did not reach).
    """
    retain = create_graph if retain_graph is None else retain_graph
    pass_class = extensions.observed_pass if states.observed else extensions.backward_pass
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
    """The state of one backward pass.

    Attributes:
        retain_graph: whether what the nodes saved is kept for another pass.
        dependencies: per node, how many gradients are still to come.
        received: per node, the gradient of each of its outputs, as far as it has arrived.
        ready: the nodes whose gradients have all arrived.
        roots: the nodes where the pass begins.
        needed: the nodes that lead to one of the listed inputs; None when the whole graph runs.
        captures: the gradients that are to be returned, by their edge; None until they arrive.
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
        """Run one node with its hooks. Return None if it leads to no requested gradient and does not run."""
        if self.needed is not None:
            results = self.capture_and_call(node, grads)
        else:
            results = self.call_function(node, grads) if node.has_hooks else node.apply(*grads)
        if results is not None and not self.retain_graph:
            node.release_variables()
        return results

    def call_function(self, node: Node, grads: list[Any]) -> tuple[Any, ...]:
        """Call a node with its hooks, in torch's order."""
        self.call_tensor_pre_hooks(node, grads)
        for hook in list((node.pre_hooks or {}).values()):
            grads[:] = extensions.replaced(tuple(grads), hook(tuple(grads)), hook)
        with extensions.unpack_hooks(node):
            results = node.apply(*grads) if self.needed is None else self.apply_in_part(node, grads)
        if node.post_hooks:
            results = tuple([fitted(node, index, grad) for index, grad in enumerate(results)])
            for hook in list(node.post_hooks.values()):
                results = extensions.replaced(results, hook(results, tuple(grads)), hook)
        return results

    def call_tensor_pre_hooks(self, node: Node, grads: list[Any]) -> None:
        """Call the hooks on the tensors that a node made (on the leaf, for AccumulateGrad), which may change `grads`, and then
        those that fill a retained `.grad`."""
        for output_nr, hooks in list((node.tensor_pre_hooks or {}).items()):
            for hook in list(hooks.values()):
                grads[output_nr] = extensions.replaced(grads[output_nr], hook(grads[output_nr]), hook)
        for output_nr, retain in (node.retain_grad_hooks or {}).items():
            if grads[output_nr] is not None:
                retain(grads[output_nr])

    def send(self, node: Node, results: Any) -> None:
        """Send each needed gradient in `results` to the next node. `results` is None for a node that did not run."""
        for index, target in enumerate(node.next_nodes):
            if target is not None and (self.needed is None or self.leads_on(target)):
                grad, output_nr = results[index], node.next_output_nrs[index] if node.next_output_nrs else 0
                if grad is not None and (grad._array.shape, grad._array.dtype) != target.outputs[output_nr]:
                    grad = fitted(node, index, grad)
                self.receive(target, output_nr, grad)

    def receive(self, target: Node, output_nr: int, grad: Any) -> None:
        """Add `grad` to the sum for an output of `target`. After its last gradient `target` is ready."""
        received = self.received.setdefault(target, [None] * len(target.outputs))
        if grad is not None:
            received[output_nr] = grad if received[output_nr] is None else received[output_nr] + grad
        self.dependencies[target] -= 1
        if not self.dependencies[target]:
            self.ready.push(target)

    # -- second reading: only where `inputs` are listed

    def restrict(self, inputs: Sequence[Any], accumulate_grad: bool) -> None:
        """Limit the pass to nodes that lead to `inputs`. Store their gradients in `.grad` if `accumulate_grad`, else in `captures`."""
        targets = {node for node, _ in inputs}
        self.needed = nodes_leading_to(targets, self.dependencies)
        if accumulate_grad:
            self.needed |= targets
        else:
            self.captures = dict.fromkeys(inputs)

    def capture_and_call(self, node: Node, grads: list[Any]) -> tuple[Any, ...] | None:
        """Put the gradients of listed inputs into `captures`, and run the node if nodes behind it are needed.

        The hooks on the tensors that the node made run before it. So if it runs, a gradient is captured before these hooks, and if
        it does not, after them, as in torch.
        """
        runs = node in self.needed
        if not runs:
            self.call_tensor_pre_hooks(node, grads)
        for edge in self.captures.keys() & {(node, output_nr) for output_nr in range(len(grads))}:
            self.captures[edge] = extensions.to_leaf(node, grads[edge[1]])
        return self.call_function(node, grads) if runs else None

    def apply_in_part(self, node: Node, grads: list[Any]) -> tuple[Any, ...]:
        """Compute only gradients that this pass uses. A node that defines `apply` computes all together."""
        needs = [self.leads_on(target) for target in node.next_nodes]
        return node.gradients(grads, needs) if len(node.formulas) == len(needs) > 1 else node.apply(*grads)

    def leads_on(self, target: Node | None) -> bool:
        """Return whether this pass uses a gradient for `target`."""
        if target is None or self.needed is None:
            return target is not None
        return target in self.needed or any([(target, nr) in self.captures for nr in range(len(target.outputs))])


def replaced(before: Any, after: Any, hook: Any) -> Any:
    """Return `after`, the result of `hook`, or `before` if it is None. A slot: another package compares shape and dtype."""
    return before if after is None else after


extensions.define(backward_pass=BackwardPass, replaced=replaced)


def fitted(node: Node, index: int, grad: Any) -> Any:
    """Return the gradient of input `index` in the shape and dtype of that input.

    Only here is broadcasting undone: a gradient that is larger than its input is summed down.
    """
    target, output_nr = node.next_functions[index]
    if grad is None or target is None:
        return grad
    (shape, dtype), has = target.outputs[output_nr], grad._array.shape
    if has != shape:
        if len(shape) > len(has) or any(n not in (1, m) for n, m in zip(reversed(shape), reversed(has), strict=False)):
            raise RuntimeError(UNFIT.format(node.name(), index, list(has), list(shape)))
        grad = grad.sum_to_size(shape) if shape else grad.sum()
    return grad if grad._array.dtype == dtype else grad._to_numpy_dtype(dtype)


def count_dependencies(roots: Sequence[Node]) -> dict[Node, int]:
    """Count the gradients that each node reachable from `roots` will receive. Each root receives one at the start."""
    dependencies: dict[Node, int] = {}
    stack: list[Sequence[Node | None]] = [roots]
    while stack:
        for node in filter(None, stack.pop()):
            if node not in dependencies:
                stack.append(node.next_nodes)
            dependencies[node] = dependencies.get(node, 0) + 1
    return dependencies


# -- second reading: only where `inputs` are listed


def nodes_leading_to(targets: set[Node], reached: Iterable[Node]) -> set[Node]:
    """Return the nodes among `reached` from which at least one edge leads to a node in `targets`.

    Edges lead to nodes that were recorded earlier and have lower sequence numbers, so each node is looked at after those that it
    leads to. The nodes of leaves are the exception: they have the highest number, and no edges.
    """
    needed: set[Node] = set()
    for node in sorted(reached, key=attrgetter("sequence_number")):
        if any([n in needed or n in targets for n in node.next_nodes]):
            needed.add(node)
    return needed
