"""Plots of a program that runs in a page have descriptions, and wrong calls raise the errors of matplotlib."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from gradnotes.browser.run import run_program
from gradnotes.figures import plot_drawing

START = "import torch\nimport matplotlib.pyplot as plt\n"


def statement_results(program: str) -> list[dict[str, Any]]:
    """Run START and a program, which must not raise an error, and return the results of their statements.

    Their line numbers count the two lines of START.
    """
    result = json.loads(run_program(START + program, "run-x", ""))
    assert result["error"] is None, result["error"]
    return result["shown"]


def pictures(program: str) -> list[ElementTree.Element]:
    """Run a program and return its SVG elements."""
    markup = "".join(statement["html"] for statement in statement_results(program))
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", markup, re.DOTALL)]


def title_and_description(program: str) -> str:
    """Run a program and return the title and the description of its only picture, joined by ` | `."""
    (svg,) = pictures(program)
    assert svg.get("role") == "img"
    ids = (svg.get("aria-labelledby") or "").split()
    text_by_id = {element.get("id"): element.text for element in svg.iter() if element.get("id")}
    return " | ".join(text_by_id[identifier] or "" for identifier in ids)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("plt.plot([3, 1, 2], label='loss')", "Plot | loss: 3 points, from 3 to 2; lowest 1 at 1, highest 3 at 0."),
        (
            "plt.plot([1, 2], [5, 6]); plt.title('T'); plt.xlabel('a'); plt.ylabel('b')",
            "T | Horizontal: a. Vertical: b. Line: 2 points, from 5 to 6; lowest 5 at 1, highest 6 at 2.",
        ),
        ("plt.scatter([1, 2], [3, 9])", "Plot | Points: 2 points, x from 1 to 2, y from 3 to 9."),
        ("plt.plot([1, 2], 'ro')", "Plot | Points: 2 points, x from 0 to 1, y from 1 to 2."),
        ("plt.hist([1, 2, 2, 3], bins=2)", "Plot | Bars: 2, from 1 to 3; the highest, 3, from 2 to 3."),
        ("plt.imshow(torch.eye(3))", "Plot | Image of 3 by 3 pixels, values from 0 to 1."),
        ("plt.plot([float('nan'), float('inf')])", "Plot | Line: 0 points."),
        ("plt.semilogy([1, 10, 100])", "Plot | Line: 3 points, from 1 to 100; lowest 1 at 0, highest 100 at 2."),
    ],
)
def test_a_plot_has_a_description(program: str, expected: str) -> None:
    assert title_and_description(f"{program}\nplt.show()") == expected


def test_a_plot_follows_the_statement_that_shows_it_or_ends_the_output() -> None:
    program = "plt.plot([1, 2])\nprint('a')\nplt.show()\nplt.hist([1, 2])\nprint('b')\n"
    assert [(entry["line"], entry["html"].count("<svg")) for entry in statement_results(program)] == [
        (4, 0),
        (5, 1),
        (7, 1),
    ]


def test_a_closed_figure_is_shown_only_if_it_was_saved() -> None:
    assert len(pictures("plt.plot([1])\nplt.savefig('a.png')\nplt.close()")) == 1
    assert pictures("plt.plot([1])\nplt.close()") == []
    assert pictures("plt.figure()\nplt.show()") == []
    assert (
        "ab"
        in statement_results("import os\nplt.plot([1])\nplt.savefig('a.png')\nprint('ab', os.listdir('.'))")[0]["html"]
    )


def test_grids_of_axes_have_the_shapes_of_matplotlib() -> None:
    program = (
        "print(type(plt.subplots()[1]).__name__, plt.subplots(1, 3)[1].shape, plt.subplots(2, 1)[1].shape)\n"
        "print(plt.subplots(2, 3)[1].shape, plt.subplots(1, 1, squeeze=False)[1].shape)\n"
        "plt.subplot(2, 1, 2)\nplt.plot([1, 2])\nplt.subplot(211)\nplt.plot([3, 4])\nplt.show()"
    )
    entries = statement_results(program)
    assert "Axes (3,) (2,)" in entries[0]["html"] and "(2, 3) (1, 1)" in entries[1]["html"]
    first, second = re.findall(r"from (\d) to", entries[2]["html"])[::1][:2]
    assert (first, second) == ("3", "1")  # in the order of rows


def test_unsupported_functions_are_reported_once() -> None:
    entries = statement_results(
        "c = plt.contourf([1], [2], [3])\nplt.clabel(c)\nfig, ax = plt.subplots()\nax.quiver(1, 2)\nprint('end')"
    )
    notes = [entry for entry in entries if "not drawn here" in entry["html"]]
    assert [(entry["line"], "contourf" in entry["html"]) for entry in notes] == [(3, True)]
    assert "end" in entries[-1]["html"]


def test_settings_without_effect_are_accepted() -> None:
    program = """import matplotlib
from matplotlib import cm, pyplot
matplotlib.use("Agg")
plt.style.use("ggplot")
plt.rcParams["figure.dpi"] = 100
plt.ion()
fig, ax = plt.subplots(figsize=(4, 3))
ax.plot([1, 2], color=cm.viridis(0.5))
ax.spines["top"].set_visible(False)
ax.xaxis.set_major_locator(None)
fig.colorbar(None)
plt.xticks([0, 1], ["a", "b"])
plt.tight_layout()
line, = plt.plot([1, 2], lw=3, alpha=0.5, zorder=3)
line.set_data([1], [2])
"""
    assert [entry for entry in statement_results(program) if "not drawn" in entry["html"]] == []


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            "plt.plot(torch.ones(2, requires_grad=True))",
            "RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        ),
        (
            "plt.imshow(torch.ones(1, 5, 5))",
            "TypeError: Invalid shape (1, 5, 5) for image data",
        ),
        (
            "plt.plot([1, 2], [1, 2, 3])",
            "ValueError: x and y must have same first dimension, but have shapes (2,) and (3,)",
        ),
        ("plt.scatter([1, 2], [1])", "ValueError: x and y must be the same size"),
    ],
)
def test_errors_are_those_of_matplotlib(program: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = json.loads(run_program(START + program, "run-x", ""))
    assert result["error"]["text"] == message
    monkeypatch.setenv("MPLBACKEND", "Agg")
    with pytest.raises(Exception) as caught:
        exec(START + program, {})
    assert f"{type(caught.value).__name__}: {caught.value}" == message


def test_texts_of_a_program_are_escaped() -> None:
    text = "<script>alert(1)</script>"
    markup = statement_results(
        f"plt.plot([1, 2], label='{text}'); plt.title('{text}'); plt.legend(); plt.suptitle('{text}')"
    )[-1]["html"]
    assert "<script" not in markup and markup.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 4


def test_sizes_and_number_of_plots_are_limited() -> None:
    (line,) = pictures("y = torch.randn(100_000)\ny[777] = 50\nplt.plot(y)\nplt.show()")
    paths = [element.get("d") or "" for element in line.iter("path") if "f-plot" in (element.get("class") or "")]
    assert 100 < max(path.count("L") for path in paths) <= plot_drawing.POINTS + 2
    assert "highest 50 at 777" in "".join(line.itertext())
    (points,) = pictures("plt.scatter(torch.randn(50_000), torch.randn(50_000))\nplt.show()")
    assert len(list(points.iter("circle"))) == plot_drawing.POINTS
    (bars,) = pictures("plt.hist(torch.randn(9999).numpy(), bins=1000)\nplt.show()")
    assert 100 < len(list(bars.iter("rect"))) <= plot_drawing.BARS
    (image,) = pictures("plt.imshow(torch.rand(1000, 700))\nplt.show()")
    assert len(next(image.iter("image")).get("href") or "") < 300_000
    entries = statement_results("for _ in range(70):\n    plt.plot([1, 2])\n    plt.show()")
    assert entries[-1]["html"].count("<svg") == plot_drawing.LIMIT
    assert f"Only the first {plot_drawing.LIMIT} plots" in entries[-1]["html"]


def test_numbers_too_large_for_an_axis_are_reported() -> None:
    assert "cannot be drawn" in statement_results("plt.plot([-1e308, 1e308])\nplt.show()")[-1]["html"]


def test_colors_are_replaced_by_the_nearest_of_the_page() -> None:
    program = (
        "for c in ('r', 'C9', '#1a70b0', 'k', 'no such', (0.1, 0.6, 0.1)):\n    plt.plot([1, 2], color=c)\nplt.show()"
    )
    (svg,) = pictures(program)
    classes = [element.get("class") or "" for element in svg.iter("path")]
    assert re.findall(r"f-plot f-c-(\w+)", " ".join(classes)) == ["3", "1", "0", "ink", "0", "2"]


def test_scalars_of_a_summary_writer_are_plotted() -> None:
    program = """from torch.utils.tensorboard import SummaryWriter
with SummaryWriter() as writer:
    for step in range(5):
        writer.add_scalar("loss", torch.tensor(5.0 - step, requires_grad=True), step)
        writer.add_scalars("both", {"train": step, "test": 2 * step}, step)
print("kept")
other = SummaryWriter("runs")
other.add_scalar("open", 1.0)
other.add_graph(None)
"""
    entries = statement_results(program)
    assert [(entry["line"], entry["html"].count("<svg")) for entry in entries] == [(7, 2), (8, 0), (11, 1)]
    assert "loss | " not in entries[0]["html"] and "Line: 5 points, from 5 to 1" in entries[0]["html"]
    assert "train: 5 points" in entries[0]["html"] and "test: 5 points" in entries[0]["html"]
    assert "not drawn here: add_graph" in entries[2]["html"]


def test_plots_do_not_remain_for_the_next_run() -> None:
    run_program(START + "plt.plot([1, 2])\n1 / 0", "run-x", "")
    assert pictures("print(1)") == []


def test_a_failing_program_shows_its_plots() -> None:
    result = json.loads(run_program(START + "plt.plot([1, 2])\n1 / 0", "run-x", ""))
    assert result["shown"][-1]["html"].count("<svg") == 1 and "ZeroDivisionError" in result["shown"][-1]["html"]


def test_progress_reports_contain_the_plots_of_the_result() -> None:
    """Check that the reports during a run have the same HTML, including ids, as the result. A stopped run shows the reports."""
    progress: list[dict[str, Any]] = []
    program = START + "plt.plot([1])\nplt.show()\nplt.hist([1])\nplt.show()\n"
    result = json.loads(run_program(program, "run-x", "", lambda text: progress.append(json.loads(text))))
    assert [entry["html"] for entry in progress] == [entry["html"] for entry in result["shown"]]
