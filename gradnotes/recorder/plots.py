"""Collect the plots of a program, and describe them in words. plot_drawing.py draws them.

The packages in gradnotes/stand_in that replace matplotlib and TensorBoard record plots here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

COLORS = 8  # f-c-0 to f-c-7 in run.css


@dataclass
class Series:
    """Points, joined by a line if `dash` is not None. `dash` is a CSS class; `colors` is empty, or #rrggbb per point."""

    x: np.ndarray
    y: np.ndarray
    name: str
    color: str
    dash: str | None = None
    has_dots: bool = False
    colors: Sequence[str] = ()


@dataclass
class Bars:
    """Bars from 0 to `heights`, from `left` to `right`."""

    left: np.ndarray
    right: np.ndarray
    heights: np.ndarray
    name: str
    color: str


@dataclass
class Image:
    """Pixels (rows, columns, 3), uint8, and the range of the numbers that they show."""

    pixels: np.ndarray
    low: float
    high: float


@dataclass
class Text:
    """A text at a point. `anchor` is SVG's `text-anchor`; the baseline is `drop` px below the point."""

    x: float
    y: float
    text: str
    color: str
    anchor: str
    drop: float


Mark = Series | Bars | Image | Text


@dataclass
class Plot:
    """What a program draws into a pair of axes. Pairs are of the horizontal and the vertical axis."""

    title: str = ""
    names: list[str] = field(default_factory=lambda: ["", ""])
    ranges: list[tuple[float, float] | None] = field(default_factory=lambda: [None, None])
    is_log: list[bool] = field(default_factory=lambda: [False, False])
    has_legend: bool = False
    has_axes: bool = True
    marks: list[Mark] = field(default_factory=list)


@dataclass
class Figure:
    """The plots of a figure, row by row. `width` is how wide a row of images may be, in px."""

    rows: list[list[Plot]]
    title: str
    width: float


class Recorder:
    """The figures and remarks of the running statement, and functions to call at the end of the program."""

    def __init__(self) -> None:
        self.items: list[Figure | str] = []
        self.at_end: list[Callable[[], None]] = []
        self._has_remark = False

    def leave_out(self, kind: str) -> None:
        """Add a remark that this kind of plot is not drawn, once per program."""
        if not self._has_remark:
            self.items.append(f"Plots of this kind are not drawn here: {kind}.")
        self._has_remark = True

    def take(self) -> list[Figure | str]:
        """Return the figures and remarks, and forget them."""
        items, self.items = self.items, []
        return items

    def finish(self) -> list[Figure | str]:
        """Call the functions in `at_end`, and return the figures that they show."""
        for show in self.at_end:
            show()
        return self.take()


recorders = [Recorder()]  # the last is that of the running program


def describe(mark: Mark) -> str:
    """Describe a mark in a sentence, in the numbers of the program. A text has none."""
    if isinstance(mark, Image):
        size = f"{len(mark.pixels)} by {len(mark.pixels[0])}"
        return f"Image of {size} pixels, values from {mark.low:.4g} to {mark.high:.4g}."
    if isinstance(mark, Bars) and len(mark.heights):
        best = int(np.argmax(mark.heights))
        return (
            f"{mark.name or 'Bars'}: {len(mark.heights)}, from {mark.left[0]:.4g} to {mark.right[-1]:.4g}; "
            f"the highest, {mark.heights[best]:.4g}, from {mark.left[best]:.4g} to {mark.right[best]:.4g}."
        )
    if not isinstance(mark, Series):
        return ""
    finite = np.isfinite(mark.x) & np.isfinite(mark.y)
    x, y = mark.x[finite], mark.y[finite]
    opening = f"{mark.name or ('Points' if mark.dash is None else 'Line')}: {len(y)} points"
    if not len(y):
        return f"{opening}."
    if mark.dash is None:
        return f"{opening}, from {x.min():.4g} to {x.max():.4g} across, from {y.min():.4g} to {y.max():.4g} up."
    low, high = int(y.argmin()), int(y.argmax())
    return (
        f"{opening}, from {y[0]:.4g} to {y[-1]:.4g}; "
        f"lowest {y[low]:.4g} at {x[low]:.4g}, highest {y[high]:.4g} at {x[high]:.4g}."
    )
