"""The drawing of a graph equals drawing.svg, and the layout avoids crossings and moves nodes as little as possible.

After an intended change, `python tests/site/test_drawing.py` writes drawing.svg again; look at it.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradnotes.viewer.graph_svg import describe_graph, is_wide, place_nodes, svg
from gradnotes.viewer.layout import _median, _spread, place

DRAWING = Path(__file__).with_name("drawing.svg")


def node(key: str, name: str, **values: Any) -> dict[str, Any]:
    return {"id": key, "name": name, **values}


def edge(source: str, target: str, output_nr: int = 0) -> dict[str, Any]:
    return {"source": source, "target": target, "output_nr": output_nr}


# This graph has names that need escaping, two edges between the same nodes, an edge across a layer, and a leaf without a name.
TRACE = {
    "nodes": [
        node("0", "AddBackward0", result="total"),
        node("1", "MulBackward0", result="<product>"),
        node("2", "ExpBackward0"),
        node("3", "AccumulateGrad", leaf={"name": "a"}),
        node("4", "AccumulateGrad", leaf={}),
    ],
    "edges": [edge("0", "1"), edge("0", "2"), edge("1", "2"), edge("1", "2", 1), edge("2", "3"), edge("0", "4"), edge("2", "4")],
    "dependencies": {"1": 1, "2": 3},
    "steps": [{"node": "0"}],
}  # fmt: skip


def test_the_drawing_equals_the_approved_drawing() -> None:
    assert svg(TRACE, place_nodes(TRACE), "figure") + "\n" == DRAWING.read_text(encoding="utf-8")


def test_the_word_above_a_node_covers_no_edge() -> None:
    """Check that the word, up to 40 px wide, begins to the right of the arrow heads that end at the node, each 9 px wide."""
    drawing = svg(TRACE, place_nodes(TRACE), "figure")
    heads = re.findall(r'data-to="(\d)".*?class="g-head" d="M[\d. ]+L([\d.]+) ', drawing)
    words = dict(re.findall(r'data-node="(\d)".*?class="g-badge" x="([\d.]+)"', drawing))
    assert len(heads) == 7 and min(float(words[target]) - 40 - float(x) for target, x in heads) > 4.5


def test_a_graph_wider_than_half_a_page_is_wide() -> None:
    row = [node(str(number), "MulBackward0") for number in range(6)]
    wide = {
        **TRACE,
        "nodes": [TRACE["nodes"][0] | {"id": "top"}, *row],
        "edges": [edge("top", str(number)) for number in range(6)],
    }
    assert is_wide(place_nodes(wide)) and not is_wide(place_nodes(TRACE))


def test_a_graph_is_described_by_its_operations_leaves_and_start() -> None:
    assert (
        describe_graph(TRACE)
        == "The graph of the backward pass: 3 operations, and 2 leaves: a, a leaf. It starts at total."
    )
    bare = {**TRACE, "nodes": TRACE["nodes"][:3], "steps": []}
    assert describe_graph(bare) == "The graph of the backward pass: 3 operations."


def test_edges_that_need_not_cross_do_not() -> None:
    """Lay out three chains whose nodes are listed in a different order in each layer."""
    edges = [("a", "f"), ("b", "e"), ("c", "d"), ("f", "h"), ("e", "g"), ("d", "i")]
    layout = place("abcdefghi", edges, dict.fromkeys("abcdefghi", 20.0), 5)
    routes = sorted(layout.routes)
    for first, second in itertools.combinations([route for route in routes if route[0][1] == 0], 2):
        assert (first[0][0] < second[0][0]) == (first[1][0] < second[1][0])
    assert all(layout.x[source] == layout.x[target] for source, target in edges)


def test_a_node_goes_to_the_middle_of_its_neighbours() -> None:
    assert (_median([1, 2, 9]), _median([1, 2, 4, 9]), _median([5])) == (2, 3, 5)


def test_a_graph_that_cannot_be_drawn_is_an_error() -> None:
    with pytest.raises(ValueError, match="^the graph has a cycle$"):
        place("ab", [("a", "b"), ("b", "a")], {"a": 1.0, "b": 1.0}, 1)
    with pytest.raises(ValueError, match="^edge 'a' -> 'c' names an unknown node$"):
        place("ab", [("a", "c")], {"a": 1.0, "b": 1.0}, 1)
    assert place("", [], {}, 1).width == 0


@settings(max_examples=100, deadline=None)
@given(
    wish=st.lists(st.floats(-50, 50), min_size=2, max_size=6), shift=st.lists(st.floats(-3, 3), min_size=6, max_size=6)
)
def test_spread_moves_positions_as_little_as_possible(wish: list[float], shift: list[float]) -> None:
    row = list(range(len(wish)))
    spread = _spread(row, wish, dict.fromkeys(row, 10.0), 5)
    assert all(b - a >= 15 - 1e-9 for a, b in itertools.pairwise(spread))

    def distance(positions: list[float]) -> float:
        return sum((a - b) ** 2 for a, b in zip(positions, wish, strict=True))

    moved_positions = [
        x + s for x, s in zip(spread, itertools.accumulate(map(abs, shift), initial=shift[0]), strict=False)
    ]
    assert distance(spread) <= distance(moved_positions) + 1e-9  # `moved_positions` keeps the minimum distance too


if __name__ == "__main__":
    DRAWING.write_text(svg(TRACE, place_nodes(TRACE), "figure") + "\n", encoding="utf-8")
