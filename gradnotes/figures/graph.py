"""Draw a figure of kind `graph`: the nodes of a backward pass, in one frame with values, in another with gradients."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gradnotes.figures import expressions
from gradnotes.figures.expressions import Keys, Namespace, WatchError
from gradnotes.figures.grid import cell_width
from gradnotes.figures.history import TensorHistory
from gradnotes.figures.panels import Drawing, Frame, Panel
from gradnotes.figures.svg import Picture, width_of
from gradnotes.viewer.layout import Placement, place
from gradnotes.words import say

GAP, RISE, LINE = 18.0, 34.0, 17.0  # px: between nodes of a layer, between layers, height of a line of text


def record(keys: Keys, namespace: Namespace, history: TensorHistory) -> dict[str, Any]:
    """Record the values of all tensors after each statement, and which saved inputs of a node require no gradient.

    `join_pass` adds the nodes and gradients, which gradnotes.recorder.backward_passes records.

    Raises:
        WatchError: an expression in `watch:` cannot be evaluated or is not a tensor.
    """
    for name in expressions.expressions(keys["watch"]) if "watch" in keys else []:
        expressions.tensor(name, namespace, dimensions=99, elements=10**9)
    return {"values": {str(event["line"]): event["values"] for event in history.events}, "inputs": history.inputs}


def join_pass(recording: dict[str, Any], passes: list[dict[str, Any]], keys: Keys) -> dict[str, Any]:
    """Combine the values from `record` with the nodes and gradients of the backward pass `call:`, by default the first.

    Raises:
        WatchError: there is no backward pass, `call:` is not the number of a pass, or the pass was not recorded.
    """
    call = keys.get("call", "1")
    if not call.isdigit() or not 1 <= int(call) <= len(passes):
        if not passes:
            raise WatchError("the snippet has no backward pass", "name a snippet that calls backward")
        raise WatchError(f"`call:` must be from 1 to {len(passes)}, got {call}", "correct the number")
    trace = passes[int(call) - 1]
    if "left_out" in trace:
        raise WatchError(f"pass {call} is not recorded: {trace['left_out']}", "use a smaller example")
    # Draw the values after the statement of the pass, because a name may be rebound later. If a statement runs several
    # passes, as a loop does, these values belong to the last pass, so the others are drawn without values.
    is_last = all(later["line"] != trace["line"] for later in passes[int(call) :])
    values = recording["values"].get(str(trace["line"]), {}) if is_last else {}
    nodes = [_node_record(node, values) for node in trace["nodes"]]
    edges = [[edge["source"], edge["target"]] for edge in trace["edges"]]
    steps = {step["node"]: step["received"] for step in trace["steps"]}
    for node in nodes:
        node["gradient"] = [line for text in steps.get(node["id"], [])[:1] for line in _printed_rows(text)]
        for number, name in enumerate(recording["inputs"].get(node["name"], [])):
            key = f"{node['id']}-{number}"
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
            edges.append([node["id"], key])
    return {"nodes": nodes, "edges": edges}


def _node_record(node: Mapping[str, Any], values: Mapping[str, list[str]]) -> dict[str, Any]:
    leaf = node["leaf"]
    name = (leaf or {}).get("name") if leaf else node["result"]
    value = _printed_rows(leaf["value"]) if leaf else values.get(name or "", [])
    return {
        "id": node["id"],
        "name": name or "",
        "operation": "" if leaf else node["name"],
        "leaf": bool(leaf),
        "plain": False,
        "value": value,
    }


def _printed_rows(text: str) -> list[str]:
    """Return the rows of a printed tensor without brackets, or ["…"] if it has more than MAX_PREVIEW elements."""
    body = re.sub(r"^tensor\(|(, [a-z_]+=.*)?\)$", "", text, flags=re.DOTALL)
    rows = [" ".join(re.findall(r"[^\s,\[\]]+", row)) for row in body.split("\n")]
    return rows if sum(len(row.split()) for row in rows) <= expressions.MAX_PREVIEW else ["…"]


def draw(recording: dict[str, Any], keys: Keys) -> Drawing:
    """Draw the graph twice in the same layout: a frame with the values, and a frame with the gradients."""
    nodes = {node["id"]: node for node in recording["nodes"]}
    edges = [(source, target) for source, target in recording["edges"]]
    widths = {key: _width(node) for key, node in nodes.items()}
    layout = _Layout(place(list(nodes), edges, widths, GAP), nodes)
    frames = []
    for label, key in ((say("Forward"), "value"), (say("Backward"), "gradient")):
        picture = Picture()
        for number, route in enumerate(layout.placement.routes):
            plain = nodes[edges[number][1]]["plain"]
            _draw_edge(picture, layout, route, key == "gradient" and not plain, "f-edge f-plain" if plain else "f-edge")
        for node in nodes.values():
            _draw_node(picture, layout, node, widths[node["id"]], key)
        alt_text = _describe_nodes(list(nodes.values()), key)
        caption = (
            say("each node shows the gradient that it receives.")
            if key == "gradient"
            else say("each node shows the value that it computed.")
        )
        frames.append(
            Frame(label, caption, [Panel(picture, say("The graph, {direction}", direction=label.lower()), alt_text)])
        )
    return Drawing(say(" ").join(frame.caption for frame in frames), frames, slider_label=say("Direction"))


class _Layout:
    """The vertical layout of the graph: leaves at the top, the result at the bottom.

    Each layer is as high as its highest node.
    """

    def __init__(self, placement: Placement, nodes: Mapping[Any, Mapping[str, Any]]):
        self.placement = placement
        self.heights = [0.0] * placement.layers
        for key, node in nodes.items():
            layer = placement.layer[key]
            self.heights[layer] = max(self.heights[layer], _line_count(node) * LINE + 16)

    def top(self, layer: int) -> float:
        """Return the y coordinate of the upper edge of a layer; the last layer is at the top."""
        return sum(self.heights[layer + 1 :]) + RISE * (self.placement.layers - 1 - layer)

    def bottom(self, layer: int) -> float:
        """Return the y coordinate of the lower edge of a layer."""
        return self.top(layer) + self.heights[layer]


def _title(node: Mapping[str, Any]) -> str:
    return node["name"] or node["operation"] or say("a leaf")


def _line_count(node: Mapping[str, Any]) -> int:
    return 1 + bool(node["operation"] and node["name"]) + max(len(node["value"]), len(node["gradient"]), 1)


def _width(node: Mapping[str, Any]) -> float:
    texts = [width_of(text) for text in [_title(node), *node["value"], *node["gradient"]]] + [
        width_of(node["operation"], 11)
    ]
    return max(*texts, cell_width()) + 18


def _draw_node(picture: Picture, layout: _Layout, node: Mapping[str, Any], width: float, key: str) -> None:
    layer = layout.placement.layer[node["id"]]
    x, y, height = layout.placement.x[node["id"]] - width / 2, layout.top(layer), layout.heights[layer]
    kind = "f-node" + (" f-leaf" if node["leaf"] else "") + (" f-plain" if node["plain"] else "")
    with picture.group(kind, data_node=_title(node)):
        picture.rect(x, y, width, height, "", 18 if node["leaf"] else 5)
        texts = [("f-name", 13.0, _title(node))]
        if node["operation"] and node["name"]:
            texts.append(("f-soft", 11.0, node["operation"]))
        values = node[key] or ([say("none")] if key == "gradient" and node["plain"] else [])
        texts += [
            (
                "f-value f-grad"
                if key == "gradient" and not node["plain"]
                else "f-value"
                if not (key == "gradient")
                else "f-soft",
                13.0,
                text,
            )
            for text in values
        ]
        baseline = y + (height - len(texts) * LINE) / 2 + 13
        for style, size, text in texts:
            picture.text(x + width / 2, baseline, text, style, size, anchor="middle")
            baseline += LINE


def _draw_edge(picture: Picture, layout: _Layout, route: list[tuple[float, int]], is_backward: bool, kind: str) -> None:
    """Draw an edge between the lower side of an input and the upper side of the node that uses it.

    The route begins at the node that uses the input. The arrow points to this node, or to the input if `is_backward`.
    """
    points = [(route[0][0], layout.top(route[0][1]))]
    for x, layer in route[1:-1]:
        points += [(x, layout.bottom(layer)), (x, layout.top(layer))]
    points.append((route[-1][0], layout.bottom(route[-1][1])))
    if not is_backward:
        points.reverse()
    for number, (start, end) in enumerate(zip(points, points[1:], strict=False)):
        if number % 2:
            picture.line([start, end], kind)
        else:
            picture.curve(start, end, kind, has_head=number == len(points) - 2)


def _describe_nodes(nodes: list[Mapping[str, Any]], key: str) -> str:
    """Return a sentence per node with its values (`key` is "value") or its gradients ("gradient").

    Saved inputs that require no gradient have no sentence about gradients.
    """
    sentences = []
    for node in nodes:
        values = expressions.plain_numbers("; ".join(node[key])) or say("nothing")
        if key == "value":
            sentences.append(
                say(
                    "{name}, computed by {operation}: {values}.",
                    name=_title(node),
                    operation=node["operation"],
                    values=values,
                )
                if node["operation"] and node["name"]
                else say("{name}: {values}.", name=_title(node), values=values)
            )
        elif not node["plain"]:
            sentences.append(say("{name} receives {values}.", name=_title(node), values=values))
    return say(" ").join(sentences)
