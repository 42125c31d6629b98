"""Collect the plots of a program, and describe them in words. gradnotes.figures.plot_drawing draws them.

The packages in gradnotes/stand_in that replace matplotlib and TensorBoard record plots here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from gradnotes.words import say

COLORS = 8  # number of colors: the CSS classes f-c-0 to f-c-7 in docs/assets/run.css


@dataclass
class Series:
    """A series of points. All have the `color`, such as "0" or "ink", unless `colors` has #rrggbb for each.

    `dash` is the CSS class of the line that joins the points, "" for a solid line, or None without a line.
    """

    x: np.ndarray
    y: np.ndarray
    name: str
    color: str
    dash: str | None = None
    has_dots: bool = False
    colors: Sequence[str] = ()


@dataclass
class Bars:
    """Vertical bars, horizontally from `left` to `right`, vertically from 0 to `heights`."""

    left: np.ndarray
    right: np.ndarray
    heights: np.ndarray
    name: str
    color: str


@dataclass
class Image:
    """An image. `pixels` is uint8 (rows, columns, 3); `low` to `high` is the range of the numbers that it shows."""

    pixels: np.ndarray
    low: float
    high: float


@dataclass
class Text:
    """A text at the point (x, y). `anchor` is SVG's `text-anchor`; the baseline is `drop` px below the point."""

    x: float
    y: float
    text: str
    color: str
    anchor: str
    drop: float


Mark = Series | Bars | Image | Text


@dataclass
class Plot:
    """The content of a pair of axes. `names`, `ranges` and `is_log` have two values: for the x axis and the y axis."""

    title: str = ""
    names: list[str] = field(default_factory=lambda: ["", ""])
    ranges: list[tuple[float, float] | None] = field(default_factory=lambda: [None, None])
    is_log: list[bool] = field(default_factory=lambda: [False, False])
    has_legend: bool = False
    has_axes: bool = True
    marks: list[Mark] = field(default_factory=list)


@dataclass
class Figure:
    """The plots of a figure, row by row. `width` is the largest width of a row of images, in px."""

    rows: list[list[Plot]]
    title: str
    width: float


class Recorder:
    """Collects the figures of a program.

    `items` has the figures of the running statement, and the names of plotting functions that are not drawn. `at_end`
    has functions to call at the end of the program, which may add figures.
    """

    def __init__(self) -> None:
        self.items: list[Figure | str] = []
        self.at_end: list[Callable[[], None]] = []
        self._has_remark = False

    def leave_out(self, kind: str) -> None:
        """Add `kind`, the name of a plotting function that is not drawn. Only the first call has an effect."""
        if not self._has_remark:
            self.items.append(kind)
        self._has_remark = True

    def take(self) -> list[Figure | str]:
        """Return the items, and remove them from the recorder."""
        items, self.items = self.items, []
        return items

    def finish(self) -> list[Figure | str]:
        """Call the functions in `at_end`, and return the items that they add."""
        for show in self.at_end:
            show()
        return self.take()


recorders = [Recorder()]  # the only element is the recorder of the running program


def describe(mark: Mark) -> str:
    """Return a sentence about a mark of a plot, with the program's numbers. Return "" for Text and empty Bars."""
    if isinstance(mark, Image):
        return say(
            "Image of {rows} by {columns} pixels, values from {low:.4g} to {high:.4g}.",
            rows=len(mark.pixels),
            columns=len(mark.pixels[0]),
            low=mark.low,
            high=mark.high,
        )
    if isinstance(mark, Bars) and len(mark.heights):
        best = int(np.argmax(mark.heights))
        return say(
            "{name}: {count}, from {start:.4g} to {end:.4g}; the highest, {height:.4g}, from {left:.4g} to {right:.4g}.",
            name=mark.name or say("Bars"),
            count=len(mark.heights),
            start=mark.left[0],
            end=mark.right[-1],
            height=mark.heights[best],
            left=mark.left[best],
            right=mark.right[best],
        )
    if not isinstance(mark, Series):
        return ""
    finite = np.isfinite(mark.x) & np.isfinite(mark.y)
    x, y = mark.x[finite], mark.y[finite]
    name = mark.name or (say("Points") if mark.dash is None else say("Line"))
    if not len(y):
        return say("{name}: {number} points.", name=name, number=len(y))
    if mark.dash is None:
        return say(
            "{name}: {number} points, x from {left:.4g} to {right:.4g}, y from {low:.4g} to {high:.4g}.",
            name=name,
            number=len(y),
            left=x.min(),
            right=x.max(),
            low=y.min(),
            high=y.max(),
        )
    lowest, highest = int(y.argmin()), int(y.argmax())
    return say(
        "{name}: {number} points, from {first:.4g} to {last:.4g}; "
        "lowest {low:.4g} at {low_x:.4g}, highest {high:.4g} at {high_x:.4g}.",
        name=name,
        number=len(y),
        first=y[0],
        last=y[-1],
        low=y[lowest],
        low_x=x[lowest],
        high=y[highest],
        high_x=x[highest],
    )
