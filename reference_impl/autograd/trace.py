"""A record of one backward pass, step by step, for a page that replays it.

    with record_backward() as trace:
        loss.backward()
    trace.steps

The pass of the core is what is recorded: within the block a subclass of it looks on (`backward.pass_class`). Without one, nothing
here runs.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from reference_impl.autograd import anomaly_mode
from reference_impl.core import backward
from reference_impl.core.backward import BackwardPass
from reference_impl.core.node import AccumulateGrad, Node
from reference_impl.core.saving import SavedTensor
from reference_impl.core.tensor import Tensor


class Trace:
    """What happened in a backward pass, in plain lists and dicts that can be written as JSON.

    Attributes:
        nodes: per node that the pass can reach: id, name, sequence (None for AccumulateGrad), shape of the gradient it
            receives, saved ({name: printed value}), leaf (the printed value, for AccumulateGrad), symbol (where the engine's
            source of its backward is: "reference_impl.core.operations.arithmetic.mul") and its formula (docstring, or what is declared).
        edges: {source, target, output_nr, input_nr}: from a node to the one its gradient goes to.
        dependencies: per node id, how many gradients it waits for at the start.
        steps: per node that ran: node, received (printed gradients), queue (ids that wait, in the order in which they would be
            taken), sent ([{target, gradient, remaining, ready}]), accumulated (the leaf's `.grad` afterwards, or None).
    """

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.edges: list[dict[str, Any]] = []
        self.dependencies: dict[str, int] = {}
        self.steps: list[dict[str, Any]] = []
        self._ids: dict[Node, str] = {}
        self._names: dict[int, str] = {}

    def name(self, **tensors: Tensor) -> None:
        """Give leaves the names by which the program knows them: `trace.name(w1=w1, x=x)`."""
        for name, tensor in tensors.items():
            self._names[id(tensor)] = name

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for `json.dumps`."""
        return {
            "nodes": self.nodes,
            "edges": self.edges,
            "dependencies": self.dependencies,
            "steps": self.steps,
        }

    # -- called by the pass

    def begin(self, root: Node, dependencies: dict[Node, int]) -> None:
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
        self._close_step()
        self.steps.append(
            {
                "node": self._ids[node],
                "received": [_printed(g) for g in grads if g is not None],
                "queue": [self._ids[n] for n in queue],
                "sent": [],
                "accumulated": None,
            }
        )
        self._running = node

    def send(self, node: Node, target: Node, output_nr: int, grad: Tensor | None, remaining: int) -> None:
        self.steps[-1]["sent"].append(
            {
                "target": self._ids[target],
                "output_nr": output_nr,
                "gradient": None if grad is None else _printed(grad),
                "remaining": remaining,
                "ready": remaining == 0,
            }
        )

    def end(self) -> None:
        self._close_step()
        self._ids.clear()

    # -- inside

    _running: Node | None = None

    def _close_step(self) -> None:
        node = self._running
        if isinstance(node, AccumulateGrad) and node.variable._grad is not None:
            self.steps[-1]["accumulated"] = _printed(node.variable._grad)
        self._running = None

    def _description(self, node: Node) -> dict[str, Any]:
        leaf = node.variable if isinstance(node, AccumulateGrad) else None
        cls = type(node)
        declared: Any = getattr(cls, "declared_by", None)
        symbol = f"{cls.__module__}.{cls.__qualname__ if declared is None else declared.__name__}"
        if cls.__module__ == "torch.autograd.function":
            symbol = "reference_impl.autograd.function.BackwardCFunction"
        return {
            "id": self._ids[node],
            "name": type(node).__name__,
            "sequence": None if leaf is not None else node.sequence_number,
            "shape": list(node.outputs[0][0]) if node.outputs else [],
            "saved": {name: _saved(node, name) for name in self._saved_names(node)},
            "leaf": None if leaf is None else {"name": self._names.get(id(leaf)), "value": _printed(leaf)},
            "symbol": symbol,
            "formula": inspect.getdoc(cls) or "" if declared is None else _rules(declared),
        }

    @staticmethod
    def _saved_names(node: Node) -> list[str]:
        return [
            name
            for name, kept in zip(node.saved_names, node.saved or (), strict=False)
            if isinstance(kept, SavedTensor)
        ]


def _rules(forward: Callable[..., Any]) -> str:
    """The gradients that stand beside an operation in the source: `∂self = g * other,  ∂other = g * self`."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(forward)))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    rules = [
        f"∂{keyword.arg} = {ast.unparse(keyword.value.body)}"
        for decorator in definition.decorator_list
        for keyword in getattr(decorator, "keywords", ())
        if isinstance(keyword.value, ast.Lambda)
    ]
    return ",  ".join(rules)


def _saved(node: Node, name: str) -> str:
    """What `node` saved under `name`, printed. To say that it was changed is up to the pass, once it comes to that node."""
    try:
        return _printed(getattr(node, "_saved_" + name))
    except RuntimeError:
        return "changed in place since"


class _RecordedPass(BackwardPass):
    """A pass that tells its `recorder` what happens, unless that has a record already.

    It says `begin(root, dependencies)`, for each node `take(node, its gradients, the nodes that wait)`, for each gradient that a
    node sends `send(node, target, output_nr, gradient, how many the target still waits for)`, and `end()`.
    """

    recorder: Any
    running: Any = None

    def run(self, received: list[Any]) -> None:
        self.told = None if self.recorder.steps else self.recorder
        if self.told is not None:
            self.told.begin(self.root, self.dependencies)
        super().run(received)
        if self.told is not None:
            self.told.end()

    def evaluate(self, node: Node, grads: list[Any]) -> tuple[Any, ...] | None:
        if self.told is not None:
            self.told.take(node, grads, self.ready)
        self.running = node
        return super().evaluate(node, grads)

    def receive(self, target: Node, output_nr: int, grad: Any) -> None:
        super().receive(target, output_nr, grad)
        if self.told is not None:
            self.told.send(self.running, target, output_nr, grad, self.dependencies[target])


class _RecordedCheckedPass(_RecordedPass, anomaly_mode.CheckedPass):
    """The same under anomaly detection."""


@contextmanager
def recorded_by(recorder: Any) -> Iterator[None]:
    """Let `recorder` look on at the backward passes in the block, in this thread or any other."""
    base = _RecordedCheckedPass if anomaly_mode.is_anomaly_enabled() else _RecordedPass
    before, backward.pass_class = backward.pass_class, type(base.__name__, (base,), {"recorder": recorder})
    try:
        yield
    finally:
        backward.pass_class = before


@contextmanager
def record_backward() -> Iterator[Trace]:
    """Record the first backward pass that runs inside the block, in this thread or any other."""
    trace = Trace()
    with recorded_by(trace):
        yield trace


def _printed(tensor: Tensor) -> str:
    return repr(tensor.detach())
