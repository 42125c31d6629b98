"""Records every backward pass of a program, with the names the program gives to its tensors."""

from __future__ import annotations

from typing import Any

from reference_impl import Tensor
from reference_impl.autograd.trace import Trace, recorded_by

NODES = 60  # a graph with more is recorded as far as its size only
TEXT = 400  # characters of a printed tensor


class Passes:
    """Looks on at backward passes as a Trace does, and begins a new one for each pass.

    `finished` holds, per pass, the dict of `Trace.as_dict` with `line`, the line of the program's
    statement that ran it, and in each node `result`, the name of the tensor that the node made.
    """

    steps: tuple[()] = ()  # the engine begins a record wherever this is empty

    def __init__(self) -> None:
        self.finished: list[dict[str, Any]] = []
        self._running: list[tuple[Trace | None, dict[str, Any]]] = []
        self._names: dict[str, Tensor] = {}
        self._line = 0

    def __enter__(self) -> Passes:
        self._block = recorded_by(self)
        self._block.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._block.__exit__(*exception)  # type: ignore[arg-type]

    def look_at(self, namespace: dict[str, Any], line: int) -> None:
        """Remember the names before the statement in `line` runs."""
        self._names = {name: t for name, t in namespace.items() if isinstance(t, Tensor) and name[0] != "_"}
        self._line = line
        self._running.clear()  # a pass that raised never ended

    # -- called by the engine

    def begin(self, root: Any, dependencies: dict[Any, int]) -> None:
        if len(dependencies) > NODES:
            self._running.append((None, {"line": self._line, "too_large": len(dependencies)}))
            return
        trace = Trace()
        trace.name(**{name: t for name, t in self._names.items() if t.is_leaf})
        made = {id(t.grad_fn): name for name, t in self._names.items() if t.grad_fn is not None}
        trace.begin(root, dependencies)
        for node, described in zip(dependencies, trace.nodes, strict=True):
            described["result"] = made.get(id(node))
        self._running.append((trace, {"line": self._line}))

    def take(self, *arguments: Any) -> None:
        if self._running[-1][0] is not None:
            self._running[-1][0].take(*arguments)

    def send(self, *arguments: Any) -> None:
        if self._running[-1][0] is not None:
            self._running[-1][0].send(*arguments)

    def end(self) -> None:
        trace, about = self._running.pop()
        if trace is not None:
            trace.end()
            about |= _shortened(trace.as_dict())
        self.finished.append(about)


def _shortened(value: Any) -> Any:
    """The record with long printed tensors cut, since a page has to carry it."""
    if isinstance(value, dict):
        return {key: _shortened(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_shortened(entry) for entry in value]
    if isinstance(value, str) and len(value) > TEXT:
        return value[:TEXT] + " …"
    return value
