"""Record the nodes and steps of one backward pass, for a page that replays it.

    with record_backward() as trace:
        loss.backward()
    trace.steps

Inside the block, the backward pass is an `anomaly_mode.ObservedPass`, a subclass of the core's BackwardPass that reports each step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from reference_impl.autograd.anomaly_mode import record_passes
from reference_impl.autograd.function import BackwardCFunction
from reference_impl.autograd.rules import inputs_of, plain_values, rule_of
from reference_impl.core.node import AccumulateGrad, Node
from reference_impl.core.saving import SavedTensor
from reference_impl.core.tensor import Tensor

FEW = 4  # `brief` prints the values of tensors with at most this number of elements


class Trace:
    """The record of a backward pass, in plain lists and dicts that can be written as JSON.

    Attributes:
        nodes: a list with a dict for each node that can be reached from the root of the pass, with the keys
            `id`, `name`, `sequence`: such as "n2", "MulBackward0", and the sequence number (None for AccumulateGrad);
            `shape`: the shape of the gradient that the node receives;
            `saved`: the printed saved tensors by name, "changed in place since" for a tensor that can no longer be used;
            `leaf`: for AccumulateGrad a dict {name, value}: the leaf's name, or None, and its printed value; otherwise None;
            `symbol`: where the source is, such as "reference_impl.core.operations.arithmetic.mul";
            `rule`, `inputs`: the gradient rule as text, and the names of the inputs in the rule;
            `terms`: a description of each name in the rule, see `_terms`.
        edges: a list with a dict {source, target, output_nr, input_nr} for each edge: `source` sends a gradient to `target`.
        dependencies: for each node id, the number of edges to this node: 0 for a root that no other node leads to.
        steps: a list with a dict for each node that the pass takes from the queue, with the keys
            `node`: the id of the node;
            `received`, `brief`: the list of the printed gradients, and a short text if it is a single gradient;
            `queue`: the ids of the other nodes that are ready before the node runs, in the order in which they would run;
            `sent`: a list with a dict {target, output_nr, gradient, brief, remaining, ready} for each gradient that the node sent:
                the target still waits for `remaining` gradients, and is `ready` if there are none;
            `accumulated`: for AccumulateGrad, the printed `.grad` of the leaf afterwards; otherwise None.
    """

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.edges: list[dict[str, Any]] = []
        self.dependencies: dict[str, int] = {}
        self.steps: list[dict[str, Any]] = []
        self._ids: dict[Node, str] = {}
        self._names: dict[int, str] = {}
        self._names_of_arrays: dict[Any, str] = {}
        self._name_and_tensor: dict[tuple[Node, int], tuple[str, Tensor]] = {}

    def name(self, **tensors: Tensor) -> None:
        """Store the names that tensors have in the program: `trace.name(w1=w1, x=x)`."""
        for name, tensor in tensors.items():
            self._names[id(tensor)] = name
            self._names_of_arrays[id(tensor._array)] = name
            if tensor.grad_fn is not None:
                self._name_and_tensor[tensor.grad_fn, tensor.output_nr] = name, tensor

    def as_dict(self) -> dict[str, Any]:
        """Return the trace as a dict for `json.dumps`."""
        return {
            "nodes": self.nodes,
            "edges": self.edges,
            "dependencies": self.dependencies,
            "steps": self.steps,
        }

    # -- called by the pass

    def begin(self, root: Node, dependencies: dict[Node, int]) -> None:
        """Fill `nodes`, `edges` and `dependencies` at the start of the pass. `root` is not used.

        Args:
            dependencies: for each node of the pass, the number of gradients that other nodes will send to it.
        """
        for number, node in enumerate(dependencies):
            self._ids[node] = f"n{number}"
        for node in dependencies:
            self.nodes.append(self._description(node))
            for input_nr, (target, output_nr) in enumerate(node.next_functions):
                if target is not None:
                    self.edges.append(
                        {
                            "source": self._ids[node],
                            "target": self._ids[target],
                            "output_nr": output_nr,
                            "input_nr": input_nr,
                        }
                    )
        self.dependencies = {self._ids[node]: n for node, n in dependencies.items()}

    def take(self, node: Node, grads: list[Any], queue: Iterable[Node]) -> None:
        """Add a step for `node`, which is about to run with the gradients `grads`. `queue` has the other nodes that are ready."""
        self._close_step()
        self.steps.append(
            {
                "node": self._ids[node],
                "received": [_format_tensor(g) for g in grads if g is not None],
                "brief": brief(grads[0]) if len(grads) == 1 and grads[0] is not None else None,
                "queue": [self._ids[n] for n in queue],
                "sent": [],
                "accumulated": None,
            }
        )
        self._running = node

    def send(self, node: Node, target: Node, output_nr: int, grad: Tensor | None, remaining: int) -> None:
        """Add to the last step the gradient `grad` that `node` sends to `target`, which still waits for `remaining` gradients."""
        self.steps[-1]["sent"].append(
            {
                "target": self._ids[target],
                "output_nr": output_nr,
                "gradient": None if grad is None else _format_tensor(grad),
                "brief": None if grad is None else brief(grad),
                "remaining": remaining,
                "ready": remaining == 0,
            }
        )

    def end(self) -> None:
        """Complete the last step, and release the nodes of the pass, except those of tensors passed to `name`."""
        self._close_step()
        self._ids.clear()

    # -- private

    _running: Node | None = None

    def _close_step(self) -> None:
        node = self._running
        if isinstance(node, AccumulateGrad) and node.variable._grad is not None:
            self.steps[-1]["accumulated"] = _format_tensor(node.variable._grad)
        self._running = None

    def _description(self, node: Node) -> dict[str, Any]:
        leaf = node.variable if isinstance(node, AccumulateGrad) else None
        saved_by_name = {name: _saved_value(node, name) for name in self._saved_names(node)}
        cls: Any = type(node)
        declared: Any = getattr(cls, "declared_by", None)
        symbol = f"{cls.source_module}.{cls.__qualname__ if declared is None else declared.__name__}"
        if isinstance(node, BackwardCFunction):
            symbol = "reference_impl.autograd.function.BackwardCFunction"
        return {
            "id": self._ids[node],
            "name": type(node).__name__,
            "sequence": None if leaf is not None else node.sequence_number,
            "shape": list(node.outputs[0][0]) if node.outputs else [],
            "saved": {
                name: "changed in place since" if t is None else _format_tensor(t) for name, t in saved_by_name.items()
            },
            "leaf": None if leaf is None else {"name": self._names.get(id(leaf)), "value": _format_tensor(leaf)},
            "symbol": symbol,
            "rule": rule_of(cls),
            "inputs": inputs_of(node),
            "terms": {} if leaf is not None else self._terms(node, saved_by_name),
        }

    def _terms(self, node: Node, saved_by_name: dict[str, Tensor | None]) -> dict[str, dict[str, Any]]:
        """Return for each name in the rule a dict: `name` in the program, `value` (see `brief`), and `is`, a description in words.

        A value that is not a tensor also has the key `plain`.
        """
        terms = {}
        for name, (target, output_nr) in zip(inputs_of(node), node.next_functions, strict=False):
            leaf = target.variable if isinstance(target, AccumulateGrad) else None
            called, tensor = (
                (self._names.get(id(leaf)), leaf)
                if leaf is not None
                else self._name_and_tensor.get((target, output_nr), (None, None))
            )
            description = (
                "a leaf"
                if leaf is not None
                else f"what {type(target).__name__} led to"
                if target
                else "an input that takes no gradient"
            )
            terms[name] = _term(called, tensor, description)
        for name, tensor in saved_by_name.items():
            before = terms.get(
                name,
                {
                    "name": self._names_of_arrays.get(id(tensor._array)) if tensor is not None else None,
                    "is": "an input",
                },
            )
            value = before.get("value") if tensor is None else brief(tensor)
            terms[name] = {
                **before,
                "name": before["name"] or self._names_of_arrays.get(tensor is not None and id(tensor._array)),
                "value": value,
            }
        called, tensor = self._name_and_tensor.get((node, 0), (None, saved_by_name.get("result")))
        terms["out"] = terms["result"] = _term(called, tensor, "the result")
        for name, value in plain_values(node).items():
            terms[name] = {"name": None, "value": value, "is": "a plain value", "plain": True}
        return terms

    @staticmethod
    def _saved_names(node: Node) -> list[str]:
        return [
            name
            for name, saved in zip(node.saved_names, node.saved or (), strict=False)
            if isinstance(saved, SavedTensor)
        ]


def _saved_value(node: Node, name: str) -> Tensor | None:
    """Return the tensor that `node` saved under `name`; None if it was changed in place afterwards. (The pass will report that.)"""
    try:
        return getattr(node, "_saved_" + name)
    except RuntimeError:
        return None


def _term(name: str | None, tensor: Tensor | None, description: str) -> dict[str, Any]:
    return {"name": name, "value": None if tensor is None else brief(tensor), "is": description}


def brief(tensor: Tensor) -> str:
    """Return the values of a tensor of at most 4 elements, such as `0.25` or `[2, 3]`; the shape of a larger tensor, `(64, 3)`."""
    array = tensor._array
    return _short(tensor.detach().tolist()) if array.size <= FEW else str(tuple(array.shape))


def _short(value: Any) -> str:
    return (
        f"[{', '.join(map(_short, value))}]"
        if isinstance(value, list)
        else f"{value:.4g}"
        if isinstance(value, float)
        else str(value)
    )


@contextmanager
def record_backward() -> Iterator[Trace]:
    """Context manager: record the first backward pass that runs inside the block, in any thread, in the Trace that it yields."""
    trace = Trace()
    with record_passes(trace):
        yield trace


def _format_tensor(tensor: Tensor) -> str:
    return repr(tensor.detach())
