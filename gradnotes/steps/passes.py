"""Records every backward pass of a program, with the names the program gives to its tensors."""

from __future__ import annotations

import sys
import weakref
from collections import Counter
from typing import Any

from gradnotes.steps.view import PASSES
from reference_impl import Tensor
from reference_impl.autograd.trace import Trace, recorded_by
from reference_impl.core import record

NODES = 60  # a graph with more is not recorded
TEXT = 400  # characters of a printed tensor


class Passes:
    """Looks on at backward passes as a Trace does, and begins a new one for each pass.

    `finished` holds, per pass, the dict of `Trace.as_dict` with `line`, the line of the program's
    statement that ran it, its `source` and `call`, the line in which backward was called, and in each node `result`, the name of the tensor that the node
    made, and `line`, the line that recorded it (of a leaf: that bound its name; None where it is not known) with its `source`, the `nth` line of that text.
    A pass that is not recorded has `left_out`, a sentence why, in place of nodes and steps.
    """

    steps: tuple[()] = ()  # the engine begins a record wherever this is empty

    def __init__(self, path: str, text: str) -> None:
        self._path, self._text = path, [line.strip() for line in text.split("\n")]
        self.finished: list[dict[str, Any]] = []
        self._running: list[tuple[Trace | None, dict[str, Any]]] = []
        self._namespace: dict[str, Any] = {}  # of the program, as it grows
        self._line = 0
        self._passes_of: Counter[int] = Counter()  # passes that a line has run
        self._lines: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._first_seen: dict[int, int] = {}  # per id of a tensor with a name, the line of the statement that bound it

    def __enter__(self) -> Passes:
        self._block = recorded_by(self)
        record.on_record = self._recorded
        self._block.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        record.on_record = None
        self._block.__exit__(*exception)  # type: ignore[arg-type]

    def look_at(self, namespace: dict[str, Any], line: int) -> None:
        """Remember what has a name before the statement in `line` runs."""
        for tensor in namespace.values():
            if isinstance(tensor, Tensor):
                self._first_seen.setdefault(id(tensor), self._line)
        self._namespace = namespace
        self._line = line
        self._running.clear()  # a pass that raised never ended

    # -- called by the engine

    def _recorded(self, node: Any) -> None:
        """Note the line of the program that makes `node`; not of what the thousandth round of a training loop makes."""
        if self._passes_of[self._line] >= PASSES:
            return
        if line := self._current():
            self._lines[node] = line

    def _current(self) -> int | None:
        """The line of the program that runs."""
        frame: Any = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != self._path:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else None

    def _statement(self) -> dict[str, Any]:
        """The statement, and the line in it that calls backward: in a loop or a function another one."""
        source = self._text[self._line - 1]
        call = self._current()
        return {"line": self._line, "source": source, "call": self._text[call - 1] if call else source}

    def _line_of(self, node: Any) -> int | None:
        leaf = getattr(node, "variable", None)
        return self._lines.get(node) if leaf is None else self._first_seen.get(id(leaf))

    def begin(self, root: Any, dependencies: dict[Any, int]) -> None:
        why = self._why_left_out(len(dependencies))
        self._passes_of[self._line] += 1
        if why:
            self._running.append((None, {**self._statement(), "left_out": why}))
            return
        names = _named(self._namespace)
        trace = Trace()
        trace.name(**names)
        made = {id(t.grad_fn): name for name, t in names.items() if t.grad_fn is not None}
        trace.begin(root, dependencies)
        for node, described in zip(dependencies, trace.nodes, strict=True):
            described["result"] = made.get(id(node))
            described["line"] = line = self._line_of(node)
            described["source"] = self._text[line - 1] if line else None
            described["nth"] = self._text[:line].count(self._text[line - 1]) if line else None
        self._running.append((trace, self._statement()))

    def _why_left_out(self, nodes: int) -> str:
        if self._passes_of[self._line] >= PASSES:
            return f"Of the passes of one line the first {PASSES} can be stepped through."
        return f"This pass goes through {nodes} nodes, too many to draw here." if nodes > NODES else ""

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


def _named(namespace: dict[str, Any]) -> dict[str, Tensor]:
    """The tensors that the program has bound, and those in its modules under the names of their attributes, such as `net.weight`."""
    public = {name: one for name, one in namespace.items() if name[0] != "_"}
    inside = {
        f"{path}.{attribute}": one
        for name, net in public.items()
        if hasattr(type(net), "named_modules")  # a module; most programs need no import of them
        for path, module in net.named_modules(prefix=name)
        for attribute, one in {**vars(module), **dict(module.named_parameters(recurse=False))}.items()
        if isinstance(one, Tensor)
    }
    return inside | {name: one for name, one in public.items() if isinstance(one, Tensor)}


def _shortened(value: Any) -> Any:
    """The record with long printed tensors cut, since a page has to carry it."""
    if isinstance(value, dict):
        return {key: _shortened(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_shortened(entry) for entry in value]
    if isinstance(value, str) and len(value) > TEXT:
        return value[:TEXT] + " …"
    return value
