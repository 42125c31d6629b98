"""What happens to tensors from statement to statement: who saves them, at which version, who writes, and what backward then finds.

Only attributes that both engines show are read: `_version`, `grad_fn`, `next_functions` and the `_saved_` ones of a node.
"""

from __future__ import annotations

import re
from typing import Any

from gradnotes.figures.watching import Namespace, is_tensor, names_of, short

_BACKWARD = re.compile(r"\.backward\(|autograd\.grad\(")
WRITTEN, FREED, THERE = "written", "freed", "there"  # the state of a saved tensor


class Story:
    """Observes a run. `events` are its statements, each with what it did to the tensors `watched`, and the `values` of all if asked."""

    def __init__(self, watched: list[str], lines: list[str], values: bool = False):
        self.watched, self.lines, self.values = watched, lines, values
        self.events: list[dict[str, Any]] = []
        self.inputs: dict[
            str, list[str]
        ] = {}  # of the tensor that a node made: names without a gradient that the node saved
        self._saved: list[dict[str, Any]] = []  # node, attribute, name of the tensor, version
        self._seen: dict[int, Any] = {}  # the node, so that its id stays its own
        self._versions: dict[str, int] = {}
        self._tensors: dict[str, int] = {}

    def ends(self, namespace: Namespace, first: int, last: int) -> None:
        """After the statement in these lines of the program."""
        tensors = names_of(namespace)
        watched = {name: tensors[name] for name in self.watched if name in tensors}
        event: dict[str, Any] = {"line": first, "made": [], "written": [], "saved": [], "checked": []}
        if self.values:
            event["values"] = {name: short(one) for name, one in tensors.items()}
        for name, one in watched.items():
            version = one._version
            if self._tensors.get(name) != id(one):
                event["made"].append({"name": name, "version": version})
            elif version != self._versions[name]:
                event["written"].append({"name": name, "before": self._versions[name], "version": version})
            self._versions[name], self._tensors[name] = version, id(one)
        for name, made in tensors.items():
            self._look(name, made, tensors, watched, event)
        if any(_BACKWARD.search(line) for line in self.lines[first - 1 : last]):
            self._check(watched, event)
        self.events.append(event)

    def _look(
        self, name: str, made: Any, tensors: dict[str, Any], watched: dict[str, Any], event: dict[str, Any]
    ) -> None:
        """At the nodes behind a tensor that are new."""
        ahead = [made.grad_fn] if made.grad_fn is not None else []
        while ahead:
            node = ahead.pop()
            if id(node) in self._seen:
                continue
            self._seen[id(node)] = node
            kept = []
            for attribute in [one for one in dir(node) if one.startswith("_saved_")]:
                found = _state(node, attribute)[1]
                kept += [other for other, one in tensors.items() if found is not None and _same(found, one)]
            if node is made.grad_fn:
                self.inputs[name] = [one for one in dict.fromkeys(kept) if not tensors[one].requires_grad]
            for one in dict.fromkeys(kept):
                if one in watched:
                    entry = {
                        "node": node,
                        "name": one,
                        "operation": type(node).__name__,
                        "version": watched[one]._version,
                    }
                    self._saved.append(entry)
                    event["saved"].append({key: entry[key] for key in ("name", "operation", "version")})
            ahead += [following for following, _ in node.next_functions if following is not None]

    def _check(self, watched: dict[str, Any], event: dict[str, Any]) -> None:
        """What backward found where a node had saved a tensor: what it had used is freed."""
        for entry in list(self._saved):
            node = entry["node"]
            states = [_state(node, one)[0] for one in dir(node) if one.startswith("_saved_")]
            if WRITTEN not in states and FREED not in states:
                continue
            self._saved.remove(entry)
            found = watched[entry["name"]]._version if entry["name"] in watched else entry["version"]
            right = WRITTEN not in states
            event["checked"].append(
                {
                    "name": entry["name"],
                    "operation": entry["operation"],
                    "expected": entry["version"],
                    "found": entry["version"] if right else found,
                    "right": right,
                }
            )


def _state(node: Any, attribute: str) -> tuple[str, Any]:
    try:
        found = getattr(node, attribute)
    except RuntimeError as error:
        return (WRITTEN if "modified by an inplace" in str(error) else FREED), None
    return THERE, found if is_tensor(found) else None


def _same(one: Any, other: Any) -> bool:
    return one.data_ptr() == other.data_ptr() and one.shape == other.shape and one.stride() == other.stride()
