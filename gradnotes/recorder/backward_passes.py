"""Record each backward pass of a program, with the names that the program gives its tensors."""

from __future__ import annotations

import sys
import weakref
from collections import Counter
from typing import Any

from gradnotes.viewer.pass_viewer import PASSES
from reference_impl import Tensor
from reference_impl.autograd.trace import Trace, record_passes

MAX_NODES = 60  # limit of the nodes of a recorded graph
TEXT = 700  # limit of the characters of a printed tensor


class Passes:
    """The recorder of backward passes. The engine calls its methods; each pass gets a new Trace.

    `finished_passes` has a dict per pass, with the keys of `Trace.as_dict` and
        line, source: line number and text of the statement that ran the pass
        call: text of the line that called backward

    Each node in the dict also has
        result: name of the tensor that the node computed, or None
        line, source: number and text of the line that created the node or, for a leaf, bound its name; None if unknown
        nth: how many lines of the program up to `line` have the text `source`

    A pass that is not recorded has `left_out`, a sentence with the reason, and neither nodes nor steps.
    """

    steps: tuple[()] = ()  # the engine records a pass if its recorder has no steps yet; here, each pass is recorded

    def __init__(self, path: str, text: str) -> None:
        self._path, self._program_lines = path, [line.strip() for line in text.split("\n")]
        self.finished_passes: list[dict[str, Any]] = []
        self._running: list[tuple[Trace | None, dict[str, Any]]] = []
        self._namespace: dict[str, Any] = {}  # the program's global variables
        self._line = 0  # first line of the running statement
        self._pass_counts: Counter[int] = Counter()  # number of passes by line
        self._lines: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._binding_lines: dict[int, int] = {}  # id of a named tensor -> line of the statement that bound it

    def __enter__(self) -> Passes:
        self._block = record_passes(self)
        self._block.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._block.__exit__(*exception)  # type: ignore[arg-type]

    def observe_names(self, namespace: dict[str, Any], line: int) -> None:
        """Store which tensors have names, before the statement that begins in `line` runs."""
        for tensor in namespace.values():
            if isinstance(tensor, Tensor) and id(tensor) not in self._binding_lines:
                self._binding_lines[id(tensor)] = self._line
                # remove the entry: a later tensor may get the same id
                weakref.finalize(tensor, self._binding_lines.pop, id(tensor))
        self._namespace = namespace
        self._line = line
        self._running.clear()  # a pass that raised an error has not called `end`

    # -- called by the engine

    def note_node(self, node: Any) -> None:
        """Store the line that created a node, unless its statement has run PASSES passes, as in training loops."""
        if self._pass_counts[self._line] >= PASSES:
            return
        if line := self._current_line():
            self._lines[node] = line

    def _current_line(self) -> int | None:
        """Return the line of the program that is running, or None if no frame of the program is on the stack."""
        frame: Any = sys._getframe(2)
        while frame is not None and frame.f_code.co_filename != self._path:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else None

    def _statement(self) -> dict[str, Any]:
        """Return `line` and `source` of the running statement, and `call`, the line in it that calls backward."""
        source = self._program_lines[self._line - 1]
        call = self._current_line()
        return {"line": self._line, "source": source, "call": self._program_lines[call - 1] if call else source}

    def _source_line(self, node: Any) -> int | None:
        leaf = getattr(node, "variable", None)
        return self._lines.get(node) if leaf is None else self._binding_lines.get(id(leaf))

    def begin(self, root: Any, dependencies: dict[Any, int]) -> None:
        """Start the Trace of a new pass from node `root`, or store the reason why the pass is not recorded."""
        reason = self._skip_reason(len(dependencies))
        self._pass_counts[self._line] += 1
        if reason:
            self._running.append((None, {**self._statement(), "left_out": reason}))
            return
        names = _named_tensors(self._namespace)
        trace = Trace()
        trace.name(**names)
        result_names = {id(t.grad_fn): name for name, t in names.items() if t.grad_fn is not None}
        trace.begin(root, dependencies)
        for node, data in zip(dependencies, trace.nodes, strict=True):
            data["result"] = result_names.get(id(node))
            data["line"] = line = self._source_line(node)
            data["source"] = self._program_lines[line - 1] if line else None
            data["nth"] = self._program_lines[:line].count(data["source"]) if line else None
        self._running.append((trace, self._statement()))

    def _skip_reason(self, nodes: int) -> str:
        if self._pass_counts[self._line] >= PASSES:
            return f"Of the passes of one line the first {PASSES} can be stepped through."
        return f"This pass goes through {nodes} nodes, too many to draw here." if nodes > MAX_NODES else ""

    def take(self, *arguments: Any) -> None:
        """Report to the Trace of the running pass, if it is recorded, that a node runs."""
        if self._running[-1][0] is not None:
            self._running[-1][0].take(*arguments)

    def send(self, *arguments: Any) -> None:
        """Report to the Trace of the running pass, if it is recorded, that a node sends a gradient."""
        if self._running[-1][0] is not None:
            self._running[-1][0].send(*arguments)

    def end(self) -> None:
        """Add the running pass to `finished_passes`. The engine calls this at the end of the pass."""
        trace, data = self._running.pop()
        if trace is not None:
            trace.end()
            data |= _shorten_texts(trace.as_dict())
        self.finished_passes.append(data)


def _named_tensors(namespace: dict[str, Any]) -> dict[str, Tensor]:
    """Map names to the tensors of a program: names of variables, and names such as `net.weight` in modules."""
    public = {name: value for name, value in namespace.items() if name[0] != "_"}
    attributes = {
        f"{path}.{attribute}": value
        for name, net in public.items()
        if hasattr(type(net), "named_modules")  # recognizes an nn.Module without importing reference_impl.nn
        for path, module in net.named_modules(prefix=name)
        for attribute, value in {**vars(module), **dict(module.named_parameters(recurse=False))}.items()
        if isinstance(value, Tensor)
    }
    return attributes | {name: value for name, value in public.items() if isinstance(value, Tensor)}


def _shorten_texts(value: Any) -> Any:
    """Return a copy of a recording with each text cut to TEXT characters, to keep pages small."""
    if isinstance(value, dict):
        return {key: _shorten_texts(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_shorten_texts(entry) for entry in value]
    if isinstance(value, str) and len(value) > TEXT:
        return value[:TEXT] + " …"
    return value
