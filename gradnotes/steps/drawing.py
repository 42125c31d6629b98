"""The graph of a backward pass as SVG: the loss above, the leaves below, every node with its name."""

from __future__ import annotations

import html
from typing import Any

from gradnotes.steps.layout import Placed, place

HEIGHT = 46.0  # of a node
GAP = 26.0  # between two nodes of a layer
RISE = 44.0  # between two layers
MARGIN = 14.0
_CHARACTER = 7.6  # the width of one, at 13 px in a monospaced font


def title(node: dict[str, Any]) -> str:
    """What a reader knows the node by: the leaf's name, or the result's, or the node's own."""
    leaf = node.get("leaf")
    if leaf is not None:
        return leaf.get("name") or "a leaf"
    return node.get("result") or node["name"]


def subtitle(node: dict[str, Any]) -> str:
    """The node's type where its title is another."""
    return node["name"] if title(node) != node["name"] else ""


def svg(trace: dict[str, Any], identifier: str, words: str = "") -> str:
    """The drawing, with `words` for whoever cannot see it. Each node is a group with `data-node`, for scripts to mark."""
    nodes = {node["id"]: node for node in trace["nodes"]}
    widths = {key: _width(node) for key, node in nodes.items()}
    edges = [(edge["source"], edge["target"]) for edge in trace["edges"]]
    placed = place(list(nodes), edges, widths, GAP)
    width = placed.width + 2 * MARGIN
    height = placed.layers * HEIGHT + (placed.layers - 1) * RISE + 2 * MARGIN
    label = f"{identifier}-label"
    parts = [
        f'<svg class="graph" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' height="{height:.0f}" role="img" aria-labelledby="{label}">',
        f'<title id="{label}">{html.escape(words or in_words(trace))}</title>',
    ]
    leaves, arrives = _ports(placed.routes, trace["edges"], "source"), _ports(placed.routes, trace["edges"], "target")
    for number, (route, edge) in enumerate(zip(placed.routes, trace["edges"], strict=True)):
        parts.append(_edge(route, edge, leaves[number], arrives[number]))
    for key, node in nodes.items():
        parts.append(_node(node, placed, widths[key], trace["dependencies"].get(key, 0)))
    return "".join([*parts, "</svg>"])


def in_words(trace: dict[str, Any]) -> str:
    """The graph in one sentence, for whoever cannot see it."""
    nodes = {node["id"]: node for node in trace["nodes"]}
    leaves = [title(node) for node in nodes.values() if node.get("leaf") is not None]
    inner = len(nodes) - len(leaves)
    start = nodes[trace["steps"][0]["node"]] if trace["steps"] else None
    begins = f" It starts at {title(start)}." if start else ""
    ends = f", and {_counted(len(leaves), 'leaf', 'leaves')}: {', '.join(leaves)}" if leaves else ""
    return f"The graph of the backward pass: {_counted(inner, 'operation', 'operations')}{ends}.{begins}"


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _width(node: dict[str, Any]) -> float:
    longest = max(len(title(node)), len(subtitle(node)) * 0.85, 6)
    return longest * _CHARACTER + 30


def _top(layer: int) -> float:
    return MARGIN + layer * (HEIGHT + RISE)


def _node(node: dict[str, Any], placed: Placed, width: float, waits: int) -> str:
    key = node["id"]
    left, top = placed.x[key] + MARGIN - width / 2, _top(placed.layer[key])
    middle = left + width / 2
    is_leaf = node.get("leaf") is not None
    below = subtitle(node)
    name_y = top + (20 if below else 28)
    second = f'<text class="g-type" x="{middle:.1f}" y="{top + 36:.1f}">{html.escape(below)}</text>' if below else ""
    return (
        f'<g class="g-node{" g-leaf" if is_leaf else ""}" data-node="{key}" data-waits="{waits}">'
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{HEIGHT:.0f}" rx="{23 if is_leaf else 7}"/>'
        f'<text class="g-name" x="{middle:.1f}" y="{name_y:.1f}">{html.escape(title(node))}</text>{second}'
        f'<text class="g-badge" x="{left + width - 4:.1f}" y="{top - 4:.1f}"></text></g>'
    )


def _ports(routes: list[list[tuple[float, int]]], edges: list[dict[str, Any]], end: str) -> list[float]:
    """How far from the middle of the node each edge leaves or arrives, so that no two lie on each other."""
    at_end = {"source": 1, "target": -2}[end]
    offsets = [0.0] * len(edges)
    groups: dict[str, list[int]] = {}
    for number, edge in enumerate(edges):
        groups.setdefault(edge[end], []).append(number)
    for group in groups.values():
        group.sort(key=lambda number: (routes[number][at_end][0], number))
        for index, number in enumerate(group):
            offsets[number] = (index - (len(group) - 1) / 2) * min(20.0, 64.0 / len(group))
    return offsets


def _edge(route: list[tuple[float, int]], edge: dict[str, Any], leaves: float, arrives: float) -> str:
    """A curve from the lower side of the source to the upper side of the target, through its dummies."""
    points = [(route[0][0] + MARGIN + leaves, _top(route[0][1]) + HEIGHT)]
    for x, layer in route[1:-1]:
        points += [(x + MARGIN, _top(layer)), (x + MARGIN, _top(layer) + HEIGHT)]
    points.append((route[-1][0] + MARGIN + arrives, _top(route[-1][1]) - 1))
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
