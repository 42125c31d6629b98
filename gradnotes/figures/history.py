"""Record the history of tensors: the nodes that save them, the writes to them, and the version checks in backward.

torch and reference_impl have all attributes that are read here: `_version` of a tensor, and of a node `next_functions`
and the attributes whose names begin with `_saved_`.
"""

from __future__ import annotations

import re
from typing import Any

from gradnotes.figures.expressions import Namespace, is_tensor, names_of, preview_rows

_BACKWARD = re.compile(r"\.backward\(|autograd\.grad\(")
WRITTEN, FREED, PRESENT = "written", "freed", "there"  # the state of a saved tensor


class TensorHistory:
    """Recorder of the history of the tensors in a program. The observer of the run calls `statement_finished`.

    `events` has one dict per statement: its effects on the tensors named in `watched_names` and, if `records_values` is set, the
    printed values of all named tensors. `lines` are the lines of the program.
    """

    def __init__(self, watched_names: list[str], lines: list[str], records_values: bool = False):
        self.watched_names, self.lines, self.records_values = watched_names, lines, records_values
        self.events: list[dict[str, Any]] = []
        self.inputs: dict[str, list[str]] = {}  # result of a node -> tensors that it saves and that need no gradient
        self._saved_entries: list[dict[str, Any]] = []  # keys: node, name of the tensor, operation, version
        self._scanned_nodes: dict[int, Any] = {}  # holds each node, so that its id is not reused
        self._versions: dict[str, int] = {}
        self._ids: dict[str, int] = {}

    def statement_finished(self, namespace: Namespace, first: int, last: int) -> None:
        """Record the effects of the statement in lines `first` to `last` of the program."""
        tensors = names_of(namespace)
        watched_tensors = {name: tensors[name] for name in self.watched_names if name in tensors}
        event: dict[str, Any] = {"line": first, "made": [], "written": [], "saved": [], "checked": []}
        if self.records_values:
            event["values"] = {name: preview_rows(tensor) for name, tensor in tensors.items()}
        for name, tensor in watched_tensors.items():
            version = tensor._version
            if self._ids.get(name) != id(tensor):
                event["made"].append({"name": name, "version": version})
            elif version != self._versions[name]:
                event["written"].append({"name": name, "before": self._versions[name], "version": version})
            self._versions[name], self._ids[name] = version, id(tensor)
        for name, tensor in tensors.items():
            self._scan_new_nodes(name, tensor, tensors, watched_tensors, event)
        if any(_BACKWARD.search(line) for line in self.lines[first - 1 : last]):
            self._check_saved(watched_tensors, event)
        self.events.append(event)

    def _scan_new_nodes(
        self, name: str, tensor: Any, tensors: dict[str, Any], watched_tensors: dict[str, Any], event: dict[str, Any]
    ) -> None:
        """Visit the nodes in the graph of `tensor` that no earlier call has visited, and record which tensors they save."""
        pending = [tensor.grad_fn] if tensor.grad_fn is not None else []
        while pending:
            node = pending.pop()
            if id(node) in self._scanned_nodes:
                continue
            self._scanned_nodes[id(node)] = node
            saved_names = []
            for attribute in _saved_attributes(node):
                saved_tensor = _saved_state(node, attribute)[1]
                saved_names += [
                    key
                    for key, value in tensors.items()
                    if saved_tensor is not None and _same_memory(saved_tensor, value)
                ]
            if node is tensor.grad_fn:
                self.inputs[name] = [key for key in dict.fromkeys(saved_names) if not tensors[key].requires_grad]
            for saved_name in dict.fromkeys(saved_names):
                if saved_name in watched_tensors:
                    entry = {
                        "node": node,
                        "name": saved_name,
                        "operation": type(node).__name__,
                        "version": watched_tensors[saved_name]._version,
                    }
                    self._saved_entries.append(entry)
                    event["saved"].append({key: entry[key] for key in ("name", "operation", "version")})
            pending += [next_node for next_node, _ in node.next_functions if next_node is not None]

    def _check_saved(self, watched_tensors: dict[str, Any], event: dict[str, Any]) -> None:
        """Record, for each saved tensor that backward has read, whether it was unchanged since it was saved.

        Backward has read the tensor if its node has freed it, or if reading it raises an error because it was modified.
        """
        for entry in list(self._saved_entries):
            node = entry["node"]
            states = [_saved_state(node, attribute)[0] for attribute in _saved_attributes(node)]
            if WRITTEN not in states and FREED not in states:
                continue
            self._saved_entries.remove(entry)
            version = watched_tensors[entry["name"]]._version if entry["name"] in watched_tensors else entry["version"]
            is_unchanged = WRITTEN not in states
            event["checked"].append(
                {
                    "name": entry["name"],
                    "operation": entry["operation"],
                    "expected": entry["version"],
                    "found": entry["version"] if is_unchanged else version,
                    "right": is_unchanged,
                }
            )


def _saved_attributes(node: Any) -> list[str]:
    return [name for name in dir(node) if name.startswith("_saved_")]


def _saved_state(node: Any, attribute: str) -> tuple[str, Any]:
    """Return (state, tensor) of a saved tensor. The state is PRESENT, FREED or WRITTEN; only PRESENT has a tensor."""
    try:
        saved_tensor = getattr(node, attribute)
    except RuntimeError as error:
        return (WRITTEN if "modified by an inplace" in str(error) else FREED), None
    return PRESENT, saved_tensor if is_tensor(saved_tensor) else None


def _same_memory(first: Any, second: Any) -> bool:
    """Return whether two tensors have the same address, shape and strides."""
    return first.data_ptr() == second.data_ptr() and first.shape == second.shape and first.stride() == second.stride()
