"""Figures draw what a run records, and almost the same for torch and for our engine. Errors name page, line and remedy."""

from __future__ import annotations

import base64
import json
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st
from snippetcheck import pages
from snippetcheck.fence_types import FENCE_TYPES as FENCES

from gradnotes.fences import recorded as recorded_runs
from gradnotes.fences.figure import as_html
from gradnotes.figures import graph
from gradnotes.figures.axes import label
from gradnotes.figures.image import BLUE, color_of
from gradnotes.figures.panels import Drawing, Panel
from gradnotes.figures.svg import MARGIN, WIDE
from gradnotes.figures.types import KINDS, Watch
from gradnotes.problems import PageError
from gradnotes.project import Project
from gradnotes.recorder.program import run
from tests.sampling import is_picked

START = "import torch\nimport torch.nn.functional as F\n"


def record(program: str, **keys: str) -> dict[str, Any]:
    """Run a program on our engine and return the recording of a figure with these keys."""
    text = START + program
    watch = Watch(keys, text.splitlines())
    passes = run(text, watcher=watch).passes
    assert watch.recording is not None
    if keys["kind"] == "graph" and "error" not in watch.recording:
        return graph.join_pass(watch.recording, passes, keys)
    return watch.recording


def draw_figure(program: str, **keys: str) -> Drawing:
    """Run a program on our engine and draw a figure with these keys."""
    return KINDS[keys["kind"]].draw(record(program, **keys), keys)


def trees(drawing: Drawing) -> list[list[ElementTree.Element]]:
    """Return the parsed SVG of each picture of a drawing, in one list per frame."""
    return [
        [
            ElementTree.fromstring(panel.picture.finish("x", panel.title, panel.alt_text))
            for panel in frame.panels
            if isinstance(panel, Panel)
        ]
        for frame in drawing.frames
    ]


def values(picture: ElementTree.Element) -> list[str]:
    """Return the texts in the cells of a picture, row by row."""
    cells = [cell for cell in picture.iter("g") if "data-cell" in cell.attrib]
    cells.sort(
        key=lambda cell: (cell.attrib["data-cell"].split()[:-2], *map(int, cell.attrib["data-cell"].split()[-2:]))
    )
    return [text.text or "" for cell in cells for text in cell.iter("text")]


def captions(drawing: Drawing) -> list[str]:
    return [frame.caption for frame in drawing.frames]


VIEWS = "t = torch.tensor([[0., 1.5, 2.], [3., 4., 5.]])\nu = t.t()\nc = t[:, 1]\n"


def test_strides_links_every_element_to_its_position_in_memory() -> None:
    drawing = draw_figure(VIEWS, kind="strides", watch="t, u, c")
    t, u, c, memory = trees(drawing)[0]
    assert values(t) == ["0.0000", "1.5000", "2.0000", "3.0000", "4.0000", "5.0000"] == values(memory)
    assert values(u) == ["0.0000", "3.0000", "1.5000", "4.0000", "2.0000", "5.0000"]
    assert values(c) == ["1.5000", "4.0000"]
    for picture in (t, u, c):  # a cell must show the number that memory has at its mark
        for cell in picture.iter("g"):
            if "data-mark" in cell.attrib:
                assert next(cell.iter("text")).text == values(memory)[int(cell.attrib["data-mark"])]
    assert drawing.marks[4] == "Position 4 contains `4.0000`: `t[1, 1]` and `u[1, 1]` and `c[1]`."
    hops = [text.text for text in memory.iter("text") if "next" in (text.text or "")]
    assert hops == [
        "t: +3 to the next row",
        "t: +1 to the next column",
        "u: +1 to the next row",
        "u: +3 to the next column",
        "c: +3 to the next element",
    ]


def test_strides_shows_the_separate_memory_of_a_copy() -> None:
    drawing = draw_figure(VIEWS, kind="strides", watch="t, u.contiguous()")
    assert [values(picture) for picture in trees(drawing)[0][2:]] == [
        ["0.0000", "1.5000", "2.0000", "3.0000", "4.0000", "5.0000"],
        ["0.0000", "3.0000", "1.5000", "4.0000", "2.0000", "5.0000"],
    ]
    assert drawing.marks == []


TABLE = "column = torch.tensor([[10.], [20.]], requires_grad=True)\nrow = torch.tensor([1., 2., 3.])\nd = torch.full((2, 3), 0.25)\n"


def test_broadcast_shows_expanded_operands_and_summed_gradients() -> None:
    drawing = draw_figure(TABLE, kind="broadcast", watch="column * row", arrives="d")
    forward, backward = trees(drawing)
    assert [values(element) for element in forward] == [
        ["10.", "10.", "10.", "20.", "20.", "20."],
        ["1.", "2.", "3."] * 2,
        ["10.", "20.", "30.", "20.", "40.", "60."],
    ]
    assert [values(element) for element in backward] == [
        ["0.2500"] * 6,
        ["0.2500", "0.5000", "0.7500"] * 2,
        ["1.5000", "1.5000"],
    ]
    pale = [element.attrib["data-cell"] for element in forward[0].iter("g") if "f-pale" in element.get("class", "")]
    assert sorted(pale) == ["column 0 1", "column 0 2", "column 1 1", "column 1 2"]
    assert "`column.grad` is `1.5000, 1.5000`" in captions(drawing)[1]


def test_broadcast_without_a_gradient_has_one_frame() -> None:
    assert len(draw_figure("a, b = torch.ones(2), torch.ones(3, 1)\n", kind="broadcast", watch="a + b").frames) == 1


def test_index_shows_each_write_and_repeated_targets() -> None:
    program = "i, s = torch.tensor([0, 0, 2]), torch.tensor([1., 10., 100.])\n"
    drawing = draw_figure(program, kind="index", watch="torch.zeros(3).scatter_add(0, i, s)")
    states = [[value for value in values(frame[0])][:3] for frame in trees(drawing)]
    assert states == [["1.", "0.", "0."], ["11.", "0.", "0."], ["11.", "0.", "100."]]
    assert "now `11`" in captions(drawing)[1] and "now" not in captions(drawing)[2]


@pytest.mark.parametrize(
    ("call", "first", "last"),
    [
        ("t.gather(1, torch.tensor([[2], [0]]))", "column 2", "`[1, 0]` to `[1, 0]`"),
        ("torch.gather(t, 0, torch.tensor([[1, 0, 1]]))", "row 1", "`[1, 2]` to `[0, 2]`"),
        ("torch.index_select(t, 1, torch.tensor([2, 0]))", "column 2", "`[1, 0]` to `[1, 1]`"),
        ("torch.index_select(input=t, dim=0, index=torch.tensor([1]))", "row 1", "`[1, 2]` to `[0, 2]`"),
    ],
)
def test_index_shows_from_where_each_element_is_read(call: str, first: str, last: str) -> None:
    drawing = draw_figure("t = torch.tensor([[1, 2, 3], [4, 5, 6]])\n", kind="index", watch=call)
    assert first in captions(drawing)[0] and last in captions(drawing)[-1]


def test_window_shows_each_sum_of_products_with_padding_and_stride() -> None:
    program = "x = torch.arange(9.).reshape(1, 1, 3, 3)\nw = torch.tensor([[[[1., 2.], [3., 4.]]]])\ny = F.conv2d(x, w, stride=2, padding=1)\n"
    recording = record(program, kind="window", watch="F.conv2d(x, w, stride=2, padding=1)")
    assert recording["result"]["cells"] == ["0.", "11.", "30.", "67."]
    drawing = KINDS["window"].draw(recording, {})
    assert captions(drawing)[0] == "`1·0 + 2·0 + 3·0 + 4·0` gives `0`."
    assert captions(drawing)[3] == "`1·4 + 2·5 + 3·7 + 4·8` gives `67`."
    assert values(trees(drawing)[3][2]) == ["0.", "11.", "30.", "67."]
    assert values(trees(drawing)[1][2]) == ["0.", "11."]  # later values of the result are still hidden


def test_window_backward_adds_up_to_the_gradient() -> None:
    program = "x = torch.tensor([[[1., 9., 2., 3.]]], requires_grad=True)\ny = F.max_pool1d(x, 2, stride=1)\nd = torch.tensor([[[1., 2., 4.]]])\ny.backward(d)\n"
    drawing = draw_figure(program, kind="window", watch="F.max_pool1d(x, 2, stride=1)", arrives="d")
    assert (
        values(trees(drawing)[-1][-1])
        == ["0.", "3.", "0.", "4."]
        == record(program, kind="strides", watch="x.grad[0]")["views"][0]["cells"]
    )
    assert (
        captions(drawing)[0] == "the error `1` of this output goes only to `x[1]`, the largest element of its window."
    )


def test_window_sends_equal_shares_backward_through_average_pooling() -> None:
    program = "x = torch.arange(16.).reshape(1, 1, 4, 4)\n"
    drawing = draw_figure(program, kind="window", watch="F.avg_pool2d(x, 2)", arrives="torch.ones(1, 1, 2, 2)")
    assert (
        captions(drawing)[0]
        == "the error `1` of this output is divided equally among the cells of its window: `0.2500, 0.2500, 0.2500, 0.2500`."
    )
    assert values(trees(drawing)[-1][-1]) == ["0.2500"] * 16


def test_timeline_shows_save_write_and_check() -> None:
    program = "x = torch.ones(2, requires_grad=True)\nh = x + 2\ny = (h * h).sum()\nh[0] = 5.0\ny.backward()\n"
    drawing = draw_figure(program, kind="timeline", watch="h")
    texts = [text.text for text in trees(drawing)[0][0].iter("text") if "f-value" not in text.get("class", "")]
    assert texts == [
        "h", "h = x + 2", "h is created, at version 0", "y = (h * h).sum()", "saved by MulBackward0 at version 0",
        "h[0] = 5.0", "written: version 0 → 1", "✗", "y.backward()", "expected version 0, found 1: error",
    ]  # fmt: skip


def test_timeline_of_a_correct_program_has_a_passed_check() -> None:
    program = (
        "x = torch.ones(2, requires_grad=True)\nh = x.exp()\nz = h.clone()\nz += 1\n(z.sum() + h.sum()).backward()\n"
    )
    recording = record(program, kind="timeline", watch="h, z")
    checks = [check for event in recording["events"] for check in event["checked"]]
    assert [(check["name"], check["operation"], check["right"]) for check in checks] == [("h", "ExpBackward0", True)]


def test_timeline_shows_a_failed_check_even_if_the_program_catches_the_error() -> None:
    program = "x = torch.ones(2, requires_grad=True)\nh = x.exp()\nh += 1\ntry:\n    h.sum().backward()\nexcept RuntimeError:\n    pass\n"
    checks = [check for event in record(program, kind="timeline", watch="h")["events"] for check in event["checked"]]
    assert [(check["expected"], check["found"], check["right"]) for check in checks] == [(0, 1, False)]


def test_curve_shows_the_slope_that_the_engine_computes() -> None:
    program = "def f(x):\n    return x**3 - x\nstart = 2.0\n"
    recording = record(program, kind="curve", watch="f", at="start")
    assert (recording["visited"][0]["y printed"], recording["visited"][0]["slope printed"]) == ("6.", "11.")
    drawing = KINDS["curve"].draw(recording, {})
    assert drawing.marks[drawing.first] == "At `x = 2` the value of `f` is `6` and its slope `11`."
    lit_marks = [mark for mark in trees(drawing)[0][0].iter("g") if "f-lit" in mark.get("class", "")]
    assert [text.text for mark in lit_marks for text in mark.iter("text")] == ["f = 6 · slope 11"]


def test_curve_shows_zero_without_a_sign() -> None:
    program = "at = 1.0\ndef f(x):\n    return -torch.log(x) * x.detach()\n"
    drawing = draw_figure(program, kind="curve", watch="f", at="at", over="[0.5, 1.0]")
    assert "the value of `f` is `0` and its slope `-1`" in str(drawing)


def test_curve_shows_a_descent_on_a_curve_and_on_contour_lines() -> None:
    program = "def f(x):\n    return x * x\nway = [3.0, 1.5, 0.75]\ndef g(a, b):\n    return a * a + 10 * b * b\npairs = [(2.0, 1.0), (1.0, 0.5), (0.0, 0.0)]\n"
    line, plane = (draw_figure(program, kind="curve", watch=name, at=at) for name, at in (("f", "way"), ("g", "pairs")))
    assert [element.split(":")[0] for element in line.marks] == [
        "Step 0",
        "Step 1",
        "Step 2",
    ] and "slope `6`" in line.marks[0]
    assert [element.rpartition("is ")[2] for element in plane.marks] == ["`14`.", "`3.5000`.", "`0`."]
    assert len([element for element in trees(plane)[0][0].iter("path") if element.get("class") == "f-level"]) > 5


def test_curves_of_lists_differ_in_line_style() -> None:
    drawing = draw_figure("a = [3.0, 2.0, 1.0]\nb = torch.tensor([1.0, 4.0])\n", kind="curve", watch="a, b")
    assert drawing.alt_text.startswith("a goes from 3.0000 to 1.0000 in 3 values")
    assert {path.get("class") for path in trees(drawing)[0][0].iter("path") if "f-plot" in path.get("class", "")} == {
        "f-plot f-plot-0",
        "f-plot f-plot-1",
    }


@pytest.mark.parametrize(("keys", "word"), [({}, "index"), ({"along": "epoch"}, "epoch")])
def test_curve_of_a_list_labels_the_horizontal_axis(keys: dict[str, str], word: str) -> None:
    drawing = draw_figure("losses = [3.0, 2.0, 1.0]\n", kind="curve", watch="losses", **keys)
    assert word in [text.text for text in trees(drawing)[0][0].iter("text")]


def test_curve_of_single_numbers_draws_a_dot_for_each() -> None:
    drawing = draw_figure("x, y = torch.tensor(6.0), torch.tensor(2.0)\n", kind="curve", watch="x / y, y")
    dots = [path for path in trees(drawing)[0][0].iter("path") if "f-alone" in path.get("class", "")]
    assert [dot.get("d") for dot in dots] == [
        f"{point}L{point[1:]}" for point in (dot.get("d", "").partition("L")[0] for dot in dots)
    ]
    assert len(dots) == 2


def test_the_name_of_the_y_axis_is_below_the_value_at_the_point() -> None:
    program = "def a_rather_long_name(x):\n    return x * x\nstart = 0.5\n"
    texts = list(trees(draw_figure(program, kind="curve", watch="a_rather_long_name", at="start"))[0][0].iter("text"))
    (name,) = (float(text.attrib["y"]) for text in texts if text.text == "a_rather_long_name")
    values = {float(text.attrib["y"]) for text in texts if (text.text or "").startswith("a_rather_long_name =")}
    assert len(values) == 1 and name - values.pop() > 14


@pytest.mark.parametrize(
    ("value", "text"), [(0.25, "0.25"), (-1500.0, "−1500"), (200_000.0, "200,000"), (2e7, "2e+07"), (-0.0, "0")]
)
def test_numbers_on_an_axis_are_written_out(value: float, text: str) -> None:
    assert label(value) == text


GRAPH = "x = torch.tensor([1., 2.])\nw = torch.tensor(3., requires_grad=True)\nh = x * w\nloss = (h * h).mean()\nloss.backward()\n"


def test_graph_shows_values_and_gradients_at_their_nodes() -> None:
    drawing = draw_figure(GRAPH, kind="graph")
    texts_by_node = [
        {
            group.attrib["data-node"]: [text.text for text in group.iter("text")][1:]
            for group in frame[0].iter("g")
            if "data-node" in group.attrib
        }
        for frame in trees(drawing)
    ]
    assert texts_by_node[0] == {
        "loss": ["MeanBackward0", "22.5000"],
        "MulBackward0": [],
        "h": ["MulBackward0", "3. 6."],
        "w": ["3."],
        "x": ["1. 2."],
    }
    assert texts_by_node[1] == {
        "loss": ["MeanBackward0", "1."],
        "MulBackward0": ["0.5000 0.5000"],
        "h": ["MulBackward0", "3. 6."],
        "w": ["15."],
        "x": ["none"],
    }


def test_graph_shows_the_values_of_its_pass_although_a_name_is_assigned_again_later() -> None:
    drawing = draw_figure(GRAPH + "h = x * w * 100\nh.sum().backward()\n", kind="graph")
    (h,) = [group for group in trees(drawing)[0][0].iter("g") if group.get("data-node") == "h"]
    assert [text.text for text in h.iter("text")][1:] == ["MulBackward0", "3. 6."]
    loop = START + "w = torch.ones(1, requires_grad=True)\nfor n in 2, 3:\n    h = w * n\n    h.sum().backward()\n"
    for call, value in (("1", []), ("2", ["3."])):
        picture = trees(draw_figure(loop, kind="graph", call=call))[0][0]
        (h,) = [group for group in picture.iter("g") if (group.get("data-node") or "") in ("h", "MulBackward0")]
        assert [text.text for text in h.iter("text")][2:] == value


PICTURES = (
    "ink = torch.tensor([[0., .25], [.5, 1.]])\nslope = torch.tensor([[-4., 0.], [2., 1.]])\n"
    "steps = {0: torch.zeros(2, 2, 2), 5: torch.stack([slope, -2 * slope])}\n"
    "wrong = torch.tensor([[30, 0], [2, 40]])\n"
)


def pixels(picture: ElementTree.Element) -> list[list[tuple[int, ...]]]:
    """Decode the PNG in a picture into rows of pixels, each a tuple of its channels."""
    (image,) = picture.iter("image")
    content = base64.b64decode(image.attrib["href"].removeprefix("data:image/png;base64,"))
    width, height, _, color_type = struct.unpack(">IIBB", content[16:26])
    channels = {0: 1, 2: 3}[color_type]
    data = zlib.decompress(content[content.index(b"IDAT") + 4 :])
    length = 1 + width * channels
    rows = [data[n * length + 1 : (n + 1) * length] for n in range(height)]
    return [[tuple(row[n : n + channels]) for n in range(0, len(row), channels)] for row in rows]


def test_image_draws_ink_in_gray_and_signed_numbers_from_blue_to_red() -> None:
    drawing = draw_figure(PICTURES, kind="image", watch="ink, slope", signed="slope")
    ink, slope, legend = trees(drawing)[0]
    assert pixels(ink) == [[(255,), (191,)], [(128,), (0,)]]
    assert pixels(slope) == [[BLUE, (255, 255, 255)], [color_of(0.5), color_of(0.25)]]
    assert [text.text for text in legend.iter("text")] == ["−4", "0", "4"]
    assert [next(element.iter("text")).text for element in (ink, slope)] == ["ink", "slope"]
    (grid,) = [element for element in slope.iter("g") if "data-values" in element.attrib]
    assert grid.attrib["data-values"] == "-4 0 2 1" and grid.attrib["data-columns"] == "2"
    assert "slope (2 by 2), from −4 to 2; largest at row 1, column 0, smallest at row 0, column 0." in drawing.alt_text


def test_image_marks_large_signed_numbers_without_color() -> None:
    """Check that a number of at least a third of the largest has a sign: a stroke (minus) for -4, two strokes (plus) for 2."""
    slope = trees(draw_figure(PICTURES, kind="image", watch="slope", signed="all"))[0][0]
    assert len([path for path in slope.iter("path") if "f-plus-minus" in path.attrib["class"]]) == 3


def test_image_has_one_scale_for_all_steps_of_a_slider() -> None:
    drawing = draw_figure(PICTURES, kind="image", watch="steps", signed="steps", along="epoch")
    assert [frame.label for frame in drawing.frames] == ["epoch 0", "epoch 5"] and drawing.slider_label == "Epoch"
    first, last = trees(drawing)
    assert pixels(first[0]) == [[(255,) * 3] * 2] * 2
    assert pixels(last[0])[0][0] == color_of(-0.5) and pixels(last[1])[0][0] == color_of(1.0)
    assert captions(drawing)[1] == "2 pictures, with numbers from −4 to 8."


def test_image_with_numbers_is_a_confusion_matrix() -> None:
    keys = {"watch": "wrong / 40", "numbers": "wrong", "rows": "label", "columns": "answer", "size": "28"}
    picture = trees(draw_figure(PICTURES, kind="image", **keys))[0][0]
    texts = [text.text for text in picture.iter("text")]
    assert texts[:3] == ["30", "2", "40"]
    assert {"rows: label", "columns: answer", "0", "1"} <= set(texts)


def test_image_takes_titles_from_a_dict_or_from_labels() -> None:
    from_dict = draw_figure(PICTURES, kind="image", watch="{'a three': ink, 'an eight': ink / 2}")
    assert [panel.title for panel in from_dict.frames[0].panels if isinstance(panel, Panel)] == ["a three", "an eight"]
    labelled = draw_figure(PICTURES, kind="image", watch="ink, ink", labels="left, of it; right")
    assert [panel.title for panel in labelled.frames[0].panels if isinstance(panel, Panel)] == ["left, of it", "right"]


@given(st.lists(st.lists(st.floats(0, 1, width=32), min_size=3, max_size=3), min_size=1, max_size=8))
def test_gray_values_are_exact_to_one_level(rows: list[list[float]]) -> None:
    panel = {"name": "x", "label": "x", "signed": False, "rows": rows}
    (picture,) = trees(KINDS["image"].draw({"steps": [{"label": "", "panels": [panel]}]}, {}))[0]
    for row, drawn_row in zip(rows, pixels(picture), strict=True):
        assert [1 - gray / 255 for (gray,) in drawn_row] == pytest.approx(row, abs=0.5 / 255 + 1e-6)


def test_amount_draws_bars_in_proportion() -> None:
    program = "held = {'input': {'new': 100}, 'relu': {'new': 300, 'kept already': 100}}\n"
    picture = trees(draw_figure(program, kind="amount", watch="held", unit="bytes"))[0][0]
    bars = {
        float(element.attrib["data-amount"]): float(next(element.iter("rect")).attrib["width"])
        for element in picture.iter("g")
        if "data-amount" in element.attrib
    }
    assert bars[300] == pytest.approx(3 * bars[100], abs=0.2)
    assert [element.text for element in picture.iter("text")][-2:] == ["relu", "400"]
    assert (
        record("a = torch.ones(3)\nheld = [('a', a)]\n", kind="amount", watch="held")["rows"][0]["parts"][0]["amount"]
        == 12
    )


@pytest.mark.parametrize(
    ("keys", "message", "remedy"),
    [
        ({"kind": "strides", "watch": "nope"}, "the run never binds 'nope'", "watch a name that the program binds at top level"),
        ({"kind": "strides", "watch": "tabel"}, "the run never binds 'tabel'", "did you mean table?"),
        ({"kind": "strides", "watch": "names"}, "`names` must be a tensor, got list", "watch a tensor"),
        ({"kind": "strides", "watch": "t +"}, "not Python", "write an expression"),
        ({"kind": "timeline", "watch": "t["}, "not Python: 't['", "write an expression"),
        ({"kind": "strides", "watch": "cube"}, "cannot draw `cube`: it has 3 dimensions (2x2x2); at most 2 dimensions can be drawn", "such as `x[0, 0]`"),
        ({"kind": "strides", "watch": "large"}, "cannot draw `large`: it has 100 elements, the limit is 36", "smaller example"),
        ({"kind": "strides", "watch": "large[0]"}, "cannot draw the storage of `large[0]`: it has 100 elements", "smaller example"),
        ({"kind": "strides", "watch": "table[7]"}, "cannot evaluate `table[7]`: IndexError", "correct"),
        ({"kind": "strides", "watch": "table[:0]"}, "cannot draw `table[:0]`: it has no element", "at least one element"),
        ({"kind": "broadcast", "watch": "table"}, "must be a binary operation, got `table`", "column - row"),
        ({"kind": "broadcast", "watch": "large + cube"}, "cannot draw `large`: it has 100 elements", "smaller example"),
        ({"kind": "broadcast", "watch": "table *"}, "not Python: 'table *'", "write an expression"),
        ({"kind": "broadcast", "watch": "table * torch.ones(4)"}, "cannot draw `table * torch.ones(4)`: RuntimeError: ", "keys of the fence"),
        ({"kind": "broadcast", "watch": "table * table", "arrives": "torch.ones(4)"}, "cannot draw `table * table`: RuntimeError: Mismatch in shape", "keys of the fence"),
        ({"kind": "broadcast", "watch": "table * table", "arrives": "point"}, "`point` must be a tensor, got float", "watch a tensor"),
        ({"kind": "index", "watch": "table"}, "`table` must be a call", "torch.gather"),
        ({"kind": "index", "watch": "table.sum()"}, "cannot draw `table.sum`", "gather"),
        ({"kind": "index", "watch": "table.gather(1)"}, "has no argument `index`", "all its arguments"),
        ({"kind": "window", "watch": "F.relu(table)"}, "cannot draw `relu` as a window", "conv1d"),
        ({"kind": "window", "watch": "F.max_pool2d(cube, 2)"}, "a tensor of 2x2x2", "one channel"),
        ({"kind": "window", "watch": "F.avg_pool2d(large[None, None], 2)"}, "a tensor of 1x1x10x10", "at most 64 pixels"),
        ({"kind": "timeline", "watch": "table"}, "no node of the run saves table", "saves for backward"),
        ({"kind": "curve", "watch": "f"}, "`at:` is missing", "set `at:`"),
        ({"kind": "curve", "watch": "f", "at": "names"}, "`names` must be a number", "list of floats"),
        ({"kind": "curve", "watch": "f", "at": "point", "along": "y"}, "no parameter 'y'", "use one of x"),
        ({"kind": "curve", "watch": "rounded", "at": "point"}, "must return a one-element tensor computed from", "without `.item()`"),
        ({"kind": "curve", "watch": "f", "at": "point", "over": "[1, 1]"}, "`over: [1, 1]` must be two different numbers", "[-3, 3]"),
        ({"kind": "curve", "watch": "f", "at": "point", "over": "[3.5, 1.5]"}, "must be two different numbers in ascending order", "smaller one first"),
        ({"kind": "curve", "watch": "f", "at": "point", "over": "[2, 2, 2]"}, "`over: [2, 2, 2]` must be two different numbers", "[-3, 3]"),
        ({"kind": "curve", "watch": "f", "at": "point", "over": "[1.5 3.5]"}, "not Python: '[1.5 3.5]'", "such as `x`, `x * 2` or `[1.5, 3.5]`"),
        ({"kind": "curve", "watch": "[1.0, 2.0]", "at": "point"}, "`[1.0, 2.0]` is not a function, so `at:` has no effect", "remove `at:`"),
        ({"kind": "curve", "watch": "[1.0, 2.0]", "over": "[0, 1]"}, "is not a function, so `over:` has no effect", "remove `over:`"),
        ({"kind": "curve", "watch": "g", "at": "[[1.0, 2.0]]", "over": "[0, 1]"}, "no effect on the contour lines of `g`", "set `along:`"),
        ({"kind": "curve", "watch": "f", "at": "torch.ones(41)"}, "cannot draw 41 points, the limit is 40", "store fewer points"),
        ({"kind": "curve", "watch": "g", "at": "[[1.0, 2.0]] * 41"}, "cannot draw 41 points, the limit is 40", "store fewer points"),
        ({"kind": "image", "watch": "cube[:0]"}, "`cube[:0]` has no picture", "at least one picture"),
        ({"kind": "image", "watch": "names"}, "`names` must be a tensor, got list", "watch a tensor"),
        ({"kind": "image", "watch": "table * 16"}, "gray values must be from 0 to 1, got 16 in `table * 16`", "name the picture in `signed:`"),
        ({"kind": "image", "watch": "table[0]"}, "must have two dimensions and at least one element; its shape is (3,)", "reshape"),
        ({"kind": "image", "watch": "table / 0", "signed": "table / 0"}, "not finite", "that can be drawn"),
        ({"kind": "image", "watch": "torch.ones(17, 2, 2)"}, "has 17 pictures, the limit is 16", "images[:10]"),
        ({"kind": "image", "watch": "torch.ones(40, 30)"}, "has 1200 numbers, the limit is 1024", "choose some"),
        ({"kind": "image", "watch": "table", "signed": "tabel"}, "no picture 'tabel'", "did you mean table?"),
        ({"kind": "image", "watch": "table", "along": "epoch"}, "exactly one list or dict with at least two steps", "{step: picture}"),
        ({"kind": "image", "watch": "table", "labels": "a; b"}, "must name 1 pictures, got 2", "semicolons"),
        ({"kind": "image", "watch": "table", "numbers": "cube"}, "the shape of the picture, 2x3", "of that shape"),
        ({"kind": "amount", "watch": "table"}, "must be a dict or a list of pairs", "{label: number}"),
        ({"kind": "amount", "watch": "{}"}, "`{}` has no amount", "{label: number}"),
        ({"kind": "curve", "watch": "[]"}, "`[]` must have 1 to 400 numbers, got 0", "at most 400"),
        ({"kind": "curve", "watch": "table / 0"}, "`table / 0` has no finite number, so there is nothing to draw", "other than inf and nan"),
        ({"kind": "amount", "watch": "wrong"}, "the amount of 'a' must be a tensor or a number of at least 0, got -1", "correct the snippet"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_drawn_is_an_error_with_a_remedy(
    keys: dict[str, str], message: str, remedy: str
) -> None:
    program = (
        "table, cube, large = torch.ones(2, 3), torch.ones(2, 2, 2), torch.ones(10, 10)\n"
        "names, point, wrong = ['a'], 1.0, {'a': -1}\n"
        "def f(x):\n    return x * x\ndef g(x, y):\n    return x * y\ndef rounded(x):\n    return (x * x).item()\n"
    )
    recording = record(program, **keys)
    assert message in recording.get("error", "") and remedy in recording["remedy"], recording


def fence(**keys: str) -> str:
    """Return a `figure` fence with these keys."""
    return "``` figure\n" + "\n".join(f"{key}: {value}" for key, value in keys.items()) + "\n```\n"


@pytest.mark.parametrize(
    ("keys", "message", "remedy"),
    [
        ({"kind": "strides", "file": "tensors/memory/storag.py", "watch": "t"}, "no snippet 'tensors/memory/storag.py'", "did you mean tensors/memory/storage.py?"),
        ({"kind": "stride", "file": "tensors/memory/storage.py", "watch": "t"}, "unknown kind of figure 'stride'", "did you mean strides?"),
        ({"kind": "strides", "file": "tensors/memory/storage.py"}, "needs `watch:`", "`watch:`"),
        ({"kind": "strides", "file": "tensors/memory/storage.py", "watch": "t", "call": "2"}, "has no key `call:`", "remove it"),
        ({"kind": "strides", "file": "tensors/memory/storage.py", "watch": "tt"}, "tensors/memory/storage.py: the run never binds 'tt'", "did you mean t?"),
        ({"kind": "strides", "file": "tensors/memory/storage.py", "watch": "t", "region": "no"}, "no region 'no'", "write `# region: name`"),
        ({"kind": "graph", "file": "why-autograd/worked-example/backward.py", "call": "2"}, "`call:` must be from 1 to 1, got 2", "correct the number"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_fence_is_reported_with_its_line(
    root: Path, keys: dict[str, str], message: str, remedy: str
) -> None:
    with pytest.raises(PageError) as raised:
        render(root, "Text.\n\n" + fence(**keys))
    location, _, error = str(raised.value).partition(" ")
    assert location == "page.md:3:" and message in error and remedy in error


def render(root: Path, text: str) -> str:
    return markdown.markdown(
        text, extensions=["gradnotes.fences"], extension_configs={"gradnotes.fences": {"root": str(root)}}
    )


def test_text_of_a_program_is_escaped_in_the_figure() -> None:
    drawing = draw_figure("held = {'</svg><script>alert(1)</script>': 3}\n", kind="amount", watch="held")
    assert "<script>" not in as_html(drawing, "x", "amount", "</figcaption><script>")


def figures(root: Path) -> list[tuple[str, str, dict[str, str]]]:
    """Return (page, path of the snippet, keys of the fence) of each figure on the pages."""
    book = Project(root)
    return [
        (page, str(book.snippets / figure_fence.keys["file"]), figure_fence.keys)
        for page in book.pages()
        for figure_fence in book.fences(page)
        if figure_fence.kind == "figure"
    ]


def test_figures_draw_what_torch_computes(root: Path, tier: str) -> None:
    """Compare the figures of the pages with figures from runs on torch: words exactly, numbers and positions up to 0.11.

    For images, compare the recordings, to one part in a thousand. Without `--tier full`, compare the first figure of each kind and one in
    ten, selected by a hash of fence and program. test_step_values.py compares the backward passes that `graph` figures draw.
    """
    page_figures = figures(root)
    first = {keys["kind"]: keys for _, _, keys in reversed(page_figures)}
    page_figures = [
        (page, path, keys)
        for page, path, keys in page_figures
        if keys is first[keys["kind"]] or is_picked(f"{keys}{Path(path).read_text()}", 10, tier)
    ]
    assert {keys["kind"] for _, _, keys in page_figures} == set(KINDS)
    questions = []
    for _, path, keys in page_figures:
        question = recorded_runs.figure_question(Project(root).snippet(keys["file"]), keys)
        questions.append([path, question])
    program = [sys.executable, str(Path(__file__).with_name("torch_figures.py"))]
    completed = subprocess.run(
        program, input=json.dumps(questions), capture_output=True, text=True, timeout=200, check=True, cwd=root
    )
    for (page, path, keys), (_, question), torch_answer in zip(
        page_figures, questions, json.loads(completed.stdout), strict=True
    ):
        text = Path(path).read_text(encoding="utf-8")
        watch = Watch(question, text.splitlines())
        passes = run(text, watcher=watch).passes
        recording, torch_recording = json.loads(json.dumps(watch.recording)), torch_answer
        if keys["kind"] == "graph":
            recording, torch_recording = (
                graph.join_pass(recording, passes, keys),
                graph.join_pass(torch_recording, passes, keys),
            )
        if keys["kind"] == "image":  # numbers of a trained network differ in their last digits
            assert is_close(recording, torch_recording), f"{page}: {keys}"
            continue
        draw = KINDS[keys["kind"]].draw
        torch_html, engine_html = (as_html(draw(values, keys), "x", "", "") for values in (torch_recording, recording))
        number = r"-?\d+\.\d+"
        assert re.sub(number, "#", torch_html) == re.sub(number, "#", engine_html), f"{page}: {keys}"
        numbers = [[float(n) for n in re.findall(number, markup)] for markup in (torch_html, engine_html)]
        # Rounding errors of float32 losses change positions by at most a tenth of a unit.
        assert numbers[0] == pytest.approx(numbers[1], abs=0.11), f"{page}: {keys}"


def is_close(recording: Any, torch_recording: Any) -> bool:
    """Return whether two recordings agree: numbers to one part in a thousand or to 0.001, everything else exactly."""
    if isinstance(recording, float | int) and isinstance(torch_recording, float | int):
        return bool(recording == pytest.approx(torch_recording, rel=1e-3, abs=1e-3))
    if isinstance(recording, dict):
        return list(recording) == list(torch_recording) and all(
            is_close(recording[key], torch_recording[key]) for key in recording
        )
    if isinstance(recording, list):
        return len(recording) == len(torch_recording) and all(map(is_close, recording, torch_recording))
    return bool(recording == torch_recording)


def test_prose_may_quote_the_numbers_of_a_figure(root: Path) -> None:
    page = root / "docs" / "why-autograd" / "worked-example.md"
    graph_figure = next(fence for fence in pages.fences(page) if fence.keys.get("kind") == "graph")
    forward, backward, _ = FENCES["figure"].prints(graph_figure, {})
    assert "40. 40." in forward and "7. 7." in backward and "7. 7." not in forward


def test_every_picture_fits_a_phone(root: Path, site: Path) -> None:
    for page, _, _ in figures(root):
        html = (site / page.replace(".md", ".html")).read_text(encoding="utf-8")
        widths = [float(width) for width in re.findall(r'<svg viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ', html)]
        assert widths and max(widths) <= WIDE + 2 * MARGIN + 2, page


def test_no_sentence_ends_with_a_number_such_as_16_and_two_full_stops(root: Path) -> None:
    """Check that no page has a number such as `16.`, as torch prints it, in front of a full stop."""
    pages = [*(root / "docs").rglob("*.md"), *(root / "i18n/zh").rglob("*.md")]
    sentences = [
        (page.name, match[0]) for page in pages for match in re.finditer(r"`-?\d+\.`[.。]", page.read_text("utf-8"))
    ]
    assert len(pages) > 100 and sentences == []
