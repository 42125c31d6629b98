"""Lay out a directed acyclic graph in layers. The layout is deterministic.

The steps are those of Sugiyama, Tagawa and Toda (1981). The longest path to a node decides its layer. Where an edge
spans several layers, a dummy node stands in each layer between. Sorting each layer by medians reduces the crossings of
edges. Finally each node is moved, several times, towards the mean position of its neighbours.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Key = Hashable
SWEEPS = 8  # how often all layers are sorted; nodes are moved twice as often


@dataclass(frozen=True)
class Placement:
    """The positions of nodes and edges, in the unit of their widths. Layer 0 has the nodes without incoming edges."""

    x: dict[Key, float]  # centre of each node
    layer: dict[Key, int]
    routes: list[list[tuple[float, int]]]  # per edge: (x, layer) from source to target
    width: float
    layers: int


def place(nodes: Sequence[Key], edges: Iterable[tuple[Key, Key]], widths: Mapping[Key, float], gap: float) -> Placement:
    """Return the positions of nodes and the routes of edges. Each edge leads from a layer to a later layer.

    `widths` are the widths of the nodes, `gap` is the least distance between nodes of a layer.

    Raises:
        ValueError: the edges form a cycle, or an edge names an unknown node.
    """
    edges = list(edges)
    layer = _layers(nodes, edges)
    rows, chains = _with_dummies(nodes, edges, layer)
    neighbours = _neighbours(chains)
    _reduce_crossings(rows, neighbours)
    x = _positions(rows, neighbours, {**dict.fromkeys(_dummies(rows), 0.0), **widths}, gap)
    shift = min((x[n] - widths[n] / 2 for n in nodes), default=0.0)
    x = {key: value - shift for key, value in x.items()}
    width = max((x[n] + widths[n] / 2 for n in nodes), default=0.0)
    level = {key: number for number, row in enumerate(rows) for key in row}
    routes = [[(x[key], level[key]) for key in chain] for chain in chains]
    return Placement({n: x[n] for n in nodes}, layer, routes, width, len(rows))


@dataclass(frozen=True)
class _Dummy:
    edge: int
    layer: int


def _layers(nodes: Sequence[Key], edges: list[tuple[Key, Key]]) -> dict[Key, int]:
    waiting = dict.fromkeys(nodes, 0)  # number of edges to a node whose sources have no final layer yet
    for source, target in edges:
        if source not in waiting or target not in waiting:
            raise ValueError(f"edge {source!r} -> {target!r} names an unknown node")
        waiting[target] += 1
    layer = dict.fromkeys(nodes, 0)
    targets: dict[Key, list[Key]] = {node: [] for node in nodes}
    for source, target in edges:
        targets[source].append(target)
    ready = [node for node in nodes if not waiting[node]]
    placed_count = 0
    while ready:
        node = ready.pop()
        placed_count += 1
        for target in targets[node]:
            layer[target] = max(layer[target], layer[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    if placed_count < len(layer):
        raise ValueError("the graph has a cycle")
    return layer


def _with_dummies(
    nodes: Sequence[Key], edges: list[tuple[Key, Key]], layer: dict[Key, int]
) -> tuple[list[list[Key]], list[list[Key]]]:
    """Return the nodes and dummy nodes of each layer, and the nodes and dummy nodes on the route of each edge."""
    rows: list[list[Key]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for node in nodes:
        rows[layer[node]].append(node)
    chains: list[list[Key]] = []
    for number, (source, target) in enumerate(edges):
        dummies = [_Dummy(number, n) for n in range(layer[source] + 1, layer[target])]
        for dummy in dummies:
            rows[dummy.layer].append(dummy)
        chains.append([source, *dummies, target])
    return rows, chains


def _dummies(rows: list[list[Key]]) -> list[Key]:
    return [key for row in rows for key in row if isinstance(key, _Dummy)]


def _neighbours(chains: list[list[Key]]) -> tuple[dict[Key, list[Key]], dict[Key, list[Key]]]:
    above: dict[Key, list[Key]] = {}
    below: dict[Key, list[Key]] = {}
    for chain in chains:
        for upper, lower in zip(chain, chain[1:], strict=False):
            above.setdefault(lower, []).append(upper)
            below.setdefault(upper, []).append(lower)
    return above, below


def _reduce_crossings(rows: list[list[Key]], neighbours: tuple[dict[Key, list[Key]], dict[Key, list[Key]]]) -> None:
    """Sort the nodes of each row by the median position of their neighbours; keep the order with the fewest crossings.

    The rows are sorted alternately from top to bottom and from bottom to top.
    """
    above, below = neighbours
    best, fewest = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(SWEEPS):
        downward = sweep % 2 == 0
        numbers = range(1, len(rows)) if downward else range(len(rows) - 2, -1, -1)
        for number in numbers:
            fixed_row = rows[number - 1] if downward else rows[number + 1]
            order = {key: index for index, key in enumerate(fixed_row)}
            beside = above if downward else below
            ranks = {}
            for index, key in enumerate(rows[number]):
                neighbour_positions = sorted(order[other] for other in beside.get(key, ()))
                ranks[key] = (_median(neighbour_positions) if neighbour_positions else index, index)
            rows[number].sort(key=ranks.__getitem__)
        crossings = _crossings(rows, below)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    rows[:] = best


def _median(values: Sequence[float]) -> float:
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def _crossings(rows: list[list[Key]], below: dict[Key, list[Key]]) -> int:
    total = 0
    for upper, lower in zip(rows, rows[1:], strict=False):
        order = {key: index for index, key in enumerate(lower)}
        ends = [sorted(order[other] for other in below.get(key, ())) for key in upper]
        flat = [end for group in ends for end in group]
        total += sum(1 for i, first in enumerate(flat) for second in flat[i + 1 :] if first > second)
    return total


def _positions(
    rows: list[list[Key]],
    neighbours: tuple[dict[Key, list[Key]], dict[Key, list[Key]]],
    widths: Mapping[Key, float],
    gap: float,
) -> dict[Key, float]:
    """Return the x of each node: as close to the mean x of its neighbours as the distance `gap` in a row allows."""
    above, below = neighbours
    x: dict[Key, float] = {}
    for row in rows:
        edge = 0.0
        for key in row:
            x[key] = edge + widths[key] / 2
            edge += widths[key] + gap
    for sweep in range(SWEEPS * 2):
        beside = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wishes = []
            for key in row:
                neighbour_positions = [x[other] for other in beside.get(key, ())]
                wishes.append(sum(neighbour_positions) / len(neighbour_positions) if neighbour_positions else x[key])
            for key, value in zip(row, _spread(row, wishes, widths, gap), strict=True):
                x[key] = value
    return x


def _spread(row: Sequence[Key], wishes: Sequence[float], widths: Mapping[Key, float], gap: float) -> list[float]:
    """Return the x of each node of a row: closest to `wishes` by least squares, with at least `gap` between nodes.

    The algorithm is "pool adjacent violators": nodes that would overlap form a block, which moves to the mean of their
    wishes.
    """
    offsets = [0.0]
    for left, right in zip(row, row[1:], strict=False):
        offsets.append(offsets[-1] + (widths[left] + widths[right]) / 2 + gap)
    blocks: list[tuple[float, int]] = []  # (mean of wish - offset, number of nodes)
    for value, offset in zip(wishes, offsets, strict=False):
        mean, count = value - offset, 1
        while blocks and blocks[-1][0] > mean:
            previous_mean, previous_count = blocks.pop()
            total = previous_mean * previous_count + mean * count
            count += previous_count
            mean = total / count
        blocks.append((mean, count))
    means = [mean for mean, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=False)]
