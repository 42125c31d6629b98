"""Draw the graph of a backward pass as SVG: the loss at the top, the leaves at the bottom, every node with its name."""

from __future__ import annotations

import html
from typing import Any

from gradnotes.viewer.layout import Placement, place
from gradnotes.words import say

HEIGHT = 46.0  # px, as all lengths in this module: height of a node
GAP = 26.0  # between neighbours in a layer
RISE = 44.0  # between layers
MARGIN = 14.0  # around the graph
WIDE = 480.0  # a wider graph is above the description of a step, not beside it, and keeps its size on a phone
_BADGE = 40.0  # width of "waits 2" above a node
_CHARACTER = 7.6  # width of a character in a monospaced font of 13 px


def title(node: dict[str, Any]) -> str:
    """Return the title of a node: for a leaf, its name or "a leaf"; for another node, the name of its result or its type."""
    leaf = node.get("leaf")
    if leaf is not None:
        return leaf.get("name") or say("a leaf")
    return node.get("result") or node["name"]


def subtitle(node: dict[str, Any]) -> str:
    """Return the type of a node, or an empty string if it is the title."""
    return node["name"] if title(node) != node["name"] else ""


def place_nodes(trace: dict[str, Any]) -> Placement:
    """Choose where the nodes and edges of the graph of a recorded pass are drawn."""
    edges = [(edge["source"], edge["target"]) for edge in trace["edges"]]
    return place(
        [node["id"] for node in trace["nodes"]], edges, {node["id"]: _width(node) for node in trace["nodes"]}, GAP
    )


def is_wide(placement: Placement) -> bool:
    """Return whether a graph is too wide to be displayed beside the description of a step."""
    return placement.width + 2 * MARGIN > WIDE


def svg(trace: dict[str, Any], placement: Placement, identifier: str, alt_text: str = "") -> str:
    """Return the graph of a recorded pass as an SVG element.

    `placement` is the result of `place_nodes(trace)`. `identifier` is the prefix of the HTML ids. Without `alt_text`, the
    text alternative is from `describe_graph`. The `<g>` of a node has the node's id as `data-node`, for scripts.
    """
    nodes = {node["id"]: node for node in trace["nodes"]}
    widths = {key: _width(node) for key, node in nodes.items()}
    source_ports = _port_offsets(placement.routes, trace["edges"], "source")
    target_ports = _port_offsets(placement.routes, trace["edges"], "target")
    badges = {
        key: _badge_position(
            placement.x[key] + MARGIN,
            widths[key],
            [port for port, edge in zip(target_ports, trace["edges"], strict=True) if edge["target"] == key],
        )
        for key in nodes
    }
    width = max(placement.width + 2 * MARGIN, *(x + 4 for x in badges.values()))
    height = placement.layers * HEIGHT + (placement.layers - 1) * RISE + 2 * MARGIN
    label = f"{identifier}-label"
    parts = [
        f'<svg class="graph" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' height="{height:.0f}" role="img" aria-labelledby="{label}">',
        f'<title id="{label}">{html.escape(alt_text or describe_graph(trace))}</title>',
    ]
    for number, (route, edge) in enumerate(zip(placement.routes, trace["edges"], strict=True)):
        parts.append(_edge(route, edge, source_ports[number], target_ports[number]))
    for key, node in nodes.items():
        parts.append(_node(node, placement, widths[key], badges[key], trace["dependencies"].get(key, 0)))
    return "".join([*parts, "</svg>"])


def describe_graph(trace: dict[str, Any]) -> str:
    """Return one or two sentences about the graph of a recorded pass, for readers who cannot see it."""
    nodes = {node["id"]: node for node in trace["nodes"]}
    leaves = [title(node) for node in nodes.values() if node.get("leaf") is not None]
    inner = len(nodes) - len(leaves)
    start = nodes[trace["steps"][0]["node"]] if trace["steps"] else None
    names = say(", ").join(leaves)
    operations = say("{count} operation", "{count} operations", count=inner)
    end = say(", and {count} leaf: {names}", ", and {count} leaves: {names}", count=len(leaves), names=names)
    sentence = say(
        "The graph of the backward pass: {operations}{leaves}.", operations=operations, leaves=end if leaves else ""
    )
    return sentence + (say(" It starts at {name}.", name=title(start)) if start else "")


def _width(node: dict[str, Any]) -> float:
    longest = max(len(title(node)), len(subtitle(node)) * 0.85, 6)
    return longest * _CHARACTER + 30


def _badge_position(middle: float, width: float, ports: list[float]) -> float:
    """Return the x at which the word above a node ends: at its right end, or so far to the right that it covers no edge."""
    return max(middle + width / 2 - 4, middle + max(ports, default=-width) + 8 + _BADGE)


def _top(layer: int) -> float:
    return MARGIN + layer * (HEIGHT + RISE)


def _node(node: dict[str, Any], placement: Placement, width: float, badge_x: float, dependency_count: int) -> str:
    key = node["id"]
    left, top = placement.x[key] + MARGIN - width / 2, _top(placement.layer[key])
    middle = left + width / 2
    is_leaf = node.get("leaf") is not None
    type_name = subtitle(node)
    name_y = top + (20 if type_name else 28)
    type_text = (
        f'<text class="g-type" x="{middle:.1f}" y="{top + 36:.1f}">{html.escape(type_name)}</text>' if type_name else ""
    )
    return (
        f'<g class="g-node{" g-leaf" if is_leaf else ""}" data-node="{key}" data-waits="{dependency_count}">'
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{HEIGHT:.0f}" rx="{23 if is_leaf else 7}"/>'
        f'<text class="g-name" x="{middle:.1f}" y="{name_y:.1f}">{html.escape(title(node))}</text>{type_text}'
        f'<text class="g-badge" x="{badge_x:.1f}" y="{top - 5:.1f}"></text></g>'
    )


def _port_offsets(routes: list[list[tuple[float, int]]], edges: list[dict[str, Any]], end: str) -> list[float]:
    """Return for each edge the horizontal distance, in px, of its `end` ("source" or "target") from the middle of the node.

    Edges that share this node get different distances, in the order of the next points of their routes, so that they do not overlap.
    """
    next_point = {"source": 1, "target": -2}[end]
    offsets = [0.0] * len(edges)
    groups: dict[str, list[int]] = {}
    for number, edge in enumerate(edges):
        groups.setdefault(edge[end], []).append(number)
    for group in groups.values():
        group.sort(key=lambda number: (routes[number][next_point][0], number))
        for index, number in enumerate(group):
            offsets[number] = (index - (len(group) - 1) / 2) * min(20.0, 64.0 / len(group))
    return offsets


def _edge(route: list[tuple[float, int]], edge: dict[str, Any], source_port: float, target_port: float) -> str:
    """Draw a curve from the lower side of the source to the upper side of the target, along its route."""
    points = [(route[0][0] + MARGIN + source_port, _top(route[0][1]) + HEIGHT)]
    for x, layer in route[1:-1]:
        points += [(x + MARGIN, _top(layer)), (x + MARGIN, _top(layer) + HEIGHT)]
    points.append((route[-1][0] + MARGIN + target_port, _top(route[-1][1]) - 1))
    path = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for index, ((x0, y0), (x1, y1)) in enumerate(zip(points, points[1:], strict=False)):
        half = (y1 - y0) / 2
        if index % 2:
            path.append(f"L{x1:.1f} {y1:.1f}")
        else:
            path.append(f"C{x0:.1f} {y0 + half:.1f} {x1:.1f} {y1 - half:.1f} {x1:.1f} {y1:.1f}")
    x, y = points[-1]
    return (
        f'<g class="g-edge" data-from="{edge["source"]}" data-to="{edge["target"]}"'
        f' data-port="{edge["output_nr"]}"><path d="{"".join(path)}"/>'
        f'<path class="g-head" d="M{x - 4.5:.1f} {y - 8:.1f}L{x:.1f} {y:.1f}L{x + 4.5:.1f} {y - 8:.1f}"/></g>'
    )
