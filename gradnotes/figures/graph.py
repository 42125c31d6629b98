"""`graph`: the nodes of a backward pass with the values that the forward made, then with the gradients that came back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gradnotes.figures import watching
from gradnotes.figures.cells import cell_width
from gradnotes.figures.drawing import Drawing, Frame, Panel
from gradnotes.figures.story import Story
from gradnotes.figures.svg import Picture, width_of
from gradnotes.figures.watching import Keys, Namespace, WatchError
from gradnotes.steps.layout import Placed, place

GAP, RISE, LINE = 18.0, 34.0, 17.0


def record(keys: Keys, namespace: Namespace, story: Story) -> dict[str, Any]:
    """The values of all names after each statement, and which that need no gradient went into which; nodes and gradients are those of the recorded pass."""
    for name in watching.expressions(keys["watch"]) if "watch" in keys else []:
        watching.tensor(name, namespace, dimensions=99, elements=10**9)
    return {"values": {str(one["line"]): one["values"] for one in story.events}, "inputs": story.inputs}


def joined(recorded: dict[str, Any], passes: list[dict[str, Any]], keys: Keys) -> dict[str, Any]:
    """What the run told with the pass that the fence asks for. Raises WatchError where there is none."""
    wanted = keys.get("call", "1")
    if not wanted.isdigit() or not 1 <= int(wanted) <= len(passes):
        raise WatchError(
            f"no backward pass {wanted}",
            f"give `call:` a number from 1 to {len(passes)}" if passes else "let it call backward",
        )
    trace = passes[int(wanted) - 1]
    if "left_out" in trace:
        raise WatchError(f"pass {wanted} is not recorded: {trace['left_out']}", "take a smaller example")
    # As the pass left them, for a name may mean another tensor later; what the first rounds of a loop have made nobody has seen.
    is_last = all(one["line"] != trace["line"] for one in passes[int(wanted) :])
    values = recorded["values"].get(str(trace["line"]), {}) if is_last else {}
    nodes = [_node(one, values) for one in trace["nodes"]]
    edges = [[edge["source"], edge["target"]] for edge in trace["edges"]]
    steps = {step["node"]: step["received"] for step in trace["steps"]}
    for one in nodes:
        one["gradient"] = [line for text in steps.get(one["id"], [])[:1] for line in _printed(text)]
        for number, name in enumerate(recorded["inputs"].get(one["name"], [])):
            key = f"{one['id']}-{number}"
            nodes.append(
                {
                    "id": key,
                    "name": name,
                    "operation": "",
                    "leaf": True,
                    "plain": True,
                    "value": values.get(name, []),
                    "gradient": [],
                }
            )
            edges.append([one["id"], key])
    return {"nodes": nodes, "edges": edges}


def _node(one: Mapping[str, Any], values: Mapping[str, list[str]]) -> dict[str, Any]:
    leaf = one["leaf"]
    name = (leaf or {}).get("name") if leaf else one["result"]
    value = _printed(leaf["value"]) if leaf else values.get(name or "", [])
    return {
        "id": one["id"],
        "name": name or "",
        "operation": "" if leaf else one["name"],
        "leaf": bool(leaf),
        "plain": False,
        "value": value,
    }


def _printed(text: str) -> list[str]:
    """The rows of a printed tensor without its brackets."""
    body = re.sub(r"^tensor\(|(, [a-z_]+=.*)?\)$", "", text, flags=re.DOTALL)
    rows = [" ".join(re.findall(r"[^\s,\[\]]+", row)) for row in body.split("\n")]
    return rows if sum(len(row.split()) for row in rows) <= watching.LARGEST else ["…"]


def draw(recorded: dict[str, Any], keys: Keys) -> Drawing:
    """Two frames with the same nodes in the same places."""
    nodes = {one["id"]: one for one in recorded["nodes"]}
    edges = [(source, target) for source, target in recorded["edges"]]
    widths = {key: _width(one) for key, one in nodes.items()}
    layout = _Layout(place(list(nodes), edges, widths, GAP), nodes)
    frames = []
    for label, key in (("Forward", "value"), ("Backward", "gradient")):
        picture = Picture()
        for number, route in enumerate(layout.placed.routes):
            plain = nodes[edges[number][1]]["plain"]
            _edge(picture, layout, route, key == "gradient" and not plain, "f-edge f-plain" if plain else "f-edge")
        for one in nodes.values():
            _draw_node(picture, layout, one, widths[one["id"]], key)
        words = _words(list(nodes.values()), key)
        say = (
            "each node with the gradient that reached it."
            if key == "gradient"
            else "each node with the value that it made."
        )
        frames.append(Frame(label, say, [Panel(picture, f"The graph, {label.lower()}", words)]))
    return Drawing(" ".join(frame.say for frame in frames), frames, moves="Direction")


class _Layout:
    """Leaves above, the result below, as a program is read; each layer as high as its highest node."""

    def __init__(self, placed: Placed, nodes: Mapping[Any, Mapping[str, Any]]):
        self.placed = placed
        self.high = [0.0] * placed.layers
        for key, one in nodes.items():
            layer = placed.layer[key]
            self.high[layer] = max(self.high[layer], _lines(one) * LINE + 16)

    def top(self, layer: int) -> float:
        """Where a layer begins; the last one is the first from above."""
        return sum(self.high[layer + 1 :]) + RISE * (self.placed.layers - 1 - layer)

    def bottom(self, layer: int) -> float:
        return self.top(layer) + self.high[layer]


def _title(one: Mapping[str, Any]) -> str:
    return one["name"] or one["operation"] or "a leaf"


def _lines(one: Mapping[str, Any]) -> int:
    return 1 + bool(one["operation"] and one["name"]) + max(len(one["value"]), len(one["gradient"]), 1)


def _width(one: Mapping[str, Any]) -> float:
    texts = [width_of(text) for text in [_title(one), *one["value"], *one["gradient"]]] + [
        width_of(one["operation"], 11)
    ]
    return max(*texts, cell_width()) + 18


def _draw_node(picture: Picture, layout: _Layout, one: Mapping[str, Any], wide: float, key: str) -> None:
    layer = layout.placed.layer[one["id"]]
    x, y, high = layout.placed.x[one["id"]] - wide / 2, layout.top(layer), layout.high[layer]
    kind = "f-node" + (" f-leaf" if one["leaf"] else "") + (" f-plain" if one["plain"] else "")
    with picture.group(kind, data_node=_title(one)):
        picture.rect(x, y, wide, high, "", 18 if one["leaf"] else 5)
        texts = [("f-name", 13.0, _title(one))]
        if one["operation"] and one["name"]:
            texts.append(("f-soft", 11.0, one["operation"]))
        shown = one[key] or (["none"] if key == "gradient" and one["plain"] else [])
        texts += [
            (
                "f-value f-grad"
                if key == "gradient" and not one["plain"]
                else "f-value"
                if not (key == "gradient")
                else "f-soft",
                13.0,
                text,
            )
            for text in shown
        ]
        at = y + (high - len(texts) * LINE) / 2 + 13
        for style, size, text in texts:
            picture.text(x + wide / 2, at, text, style, size, anchor="middle")
            at += LINE


def _edge(picture: Picture, layout: _Layout, route: list[tuple[float, int]], backward: bool, kind: str) -> None:
    """From the lower side of what is used to the upper side of what uses it, or back. A route begins at what uses it."""
    points = [(route[0][0], layout.top(route[0][1]))]
    for x, layer in route[1:-1]:
        points += [(x, layout.bottom(layer)), (x, layout.top(layer))]
    points.append((route[-1][0], layout.bottom(route[-1][1])))
    if not backward:
        points.reverse()
    for number, (start, end) in enumerate(zip(points, points[1:], strict=False)):
        if number % 2:
            picture.line([start, end], kind)
        else:
            picture.curve(start, end, kind, head=number == len(points) - 2)


def _words(nodes: list[Mapping[str, Any]], key: str) -> str:
    said = []
    for one in nodes:
        shown = "; ".join(one[key]) or "nothing"
        if key == "value":
            said.append(
                f"{_title(one)}{' by ' + one['operation'] if one['operation'] and one['name'] else ''}: {shown}."
            )
        elif not one["plain"]:
            said.append(f"{_title(one)} receives {shown}.")
    return " ".join(said)
