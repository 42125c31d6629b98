"""Draw the plots of a program as SVG, in the colors of the page.

Each plot is a separate picture, so that the plots of a figure wrap on a phone. Texts of the program become text nodes,
so that markup in them has no effect; docs/assets/harmless.js also removes links, scripts and styles.
"""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Iterable

import numpy as np

from gradnotes.figures.axes import Axes, padded_range
from gradnotes.figures.png import data_uri
from gradnotes.figures.svg import WIDE, Picture, width_of
from gradnotes.recorder.plots import Bars, Figure, Image, Mark, Plot, Series, Text, describe
from gradnotes.viewer.output_markup import note
from gradnotes.words import say

LIMIT = 64  # plots of a program
POINTS = 1_500  # limit of the drawn points of a series
BARS = 400  # limit of the drawn bars of a histogram or bar chart
PIXELS = 256  # limit of the drawn pixels of an image, in each direction
TEXT = 10.0  # px: font size of the program's texts in a plot


def render(items: Iterable[Figure | str], identifier: str, first: int) -> str:
    """Render plots as HTML. An item is a figure, or the name of a plotting function that is not drawn.

    `identifier` is the prefix of HTML ids. `first` is the number of the first of these plots, counted from 0 for the
    first plot of the program; plots from number LIMIT on are left out.
    """
    out = []
    for item in items:
        if isinstance(item, str):
            out.append(note(say("Plots of this kind are not drawn here: {kind}.", kind=item)))
            continue
        rows = []
        for row in item.rows:
            ids = [f"{identifier}-plot-{first + n}" for n in range(len(row)) if first + n < LIMIT]
            svgs = [_draw_or_remark(plot, name, item.width / len(row)) for plot, name in zip(row, ids, strict=False)]
            rows.append(f'<div class="x-row">{"".join(svgs)}</div>')
            first += len(row)
        heading = f"<p>{html.escape(item.title)}</p>" if item.title else ""
        out.append(f'<div class="x x-plot drawn">{heading}{"".join(rows)}</div>')
        if first > LIMIT:
            out.append(note(say("Only the first {limit} plots of a program are drawn.", limit=LIMIT)))
    return "".join(out)


def count(items: Iterable[Figure | str]) -> int:
    """Return the number of plots in all figures."""
    return sum(len(row) for item in items if isinstance(item, Figure) for row in item.rows)


def _draw_or_remark(plot: Plot, identifier: str, width: float) -> str:
    try:
        return draw(plot, identifier, width)
    except (ArithmeticError, ValueError):  # numbers such as 1e308, whose distance is infinite
        return note(say("This plot has numbers that cannot be drawn."))


def draw(plot: Plot, identifier: str, width: float) -> str:
    """Return a plot as SVG. `width` is the largest width of an image in the plot, in px.

    Raises:
        ArithmeticError, ValueError: the plot has numbers that cannot be drawn.
    """
    names = [
        say("{axis}: {name}.", axis=axis, name=name)
        for axis, name in zip((say("Horizontal"), say("Vertical")), plot.names, strict=True)
        if name
    ]
    alt_text = say(" ").join([*names, *filter(None, map(describe, plot.marks))])
    picture = Picture()
    top = _draw_title(picture, plot.title)
    image = next((mark for mark in plot.marks if isinstance(mark, Image)), None)
    marks = [_on_log_axes(mark, plot.is_log) for mark in plot.marks if mark is not image]
    if image:
        axes: Axes | _Pixels = _draw_image(picture, image, plot.names, top, width)
    else:
        axes = _frame(plot, marks, _draw_legend(picture, plot, top))
        if plot.has_axes:
            axes.draw(
                picture, *(f"log10 {n}".strip() if log else n for n, log in zip(plot.names, plot.is_log, strict=True))
            )
    for mark in marks:
        if isinstance(mark, Bars) and isinstance(axes, Axes):
            _draw_bars(picture, axes, mark)
        elif isinstance(mark, Series):
            _draw_series(picture, axes, mark)
        elif isinstance(mark, Text):
            x, y = axes.at(mark.x, mark.y)
            picture.text(x, y + mark.drop, mark.text, f"f-c-{mark.color}", TEXT, mark.anchor, is_monospace=False)
    return picture.finish(identifier, plot.title or say("Plot"), alt_text)


class _Pixels:
    """The area of an image. The point (x, y) is the center of the pixel in column x and row y."""

    def __init__(self, image: Image, top: float, width: float):
        rows, columns = image.pixels.shape[:2]
        self.size = max(0.5, min(24.0, (width - 12) / columns, 2 * width / rows))
        self.top, self.width, self.height = top, columns * self.size, rows * self.size

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of the point (x, y) in the picture."""
        return (x + 0.5) * self.size, self.top + (y + 0.5) * self.size

    def path(self, picture: Picture, points: Iterable[tuple[float, float]], kind: str) -> None:
        """Draw a line of CSS class `kind` through the points that are finite."""
        picture.line([self.at(x, y) for x, y in points if math.isfinite(x) and math.isfinite(y)], kind)


def _draw_image(picture: Picture, image: Image, names: list[str], top: float, width: float) -> _Pixels:
    area = _Pixels(image, top + (18 if names[1] else 0), width)
    if names[1]:
        picture.text(0, area.top - 6, names[1], "f-name", 12)
    if names[0]:
        picture.text(area.width, area.top + area.height + 16, names[0], "f-name", 12, anchor="end")
    step = math.ceil(max(image.pixels.shape[:2]) / PIXELS)
    picture.image(0, area.top, area.width, area.height, data_uri(image.pixels[::step, ::step].tolist()))
    picture.rect(0, area.top, area.width, area.height, "f-paper", 0)
    return area


def _frame(plot: Plot, marks: list[Mark], top: float) -> Axes:
    """Return axes whose ranges include all series and bars. A range that the program has set is used instead."""
    xs, ys = list[float](), list[float]()
    for mark in marks:
        if isinstance(mark, Bars):
            xs += [*mark.left, *mark.right]
            ys += [*mark.heights, 0.0]
        elif isinstance(mark, Series):
            xs += mark.x.tolist()
            ys += mark.y.tolist()
    has_only_lines = all(isinstance(mark, Series) and mark.dash is not None for mark in marks)
    ranges = [
        _logarithms(*limits) if limits and log else limits for limits, log in zip(plot.ranges, plot.is_log, strict=True)
    ]
    x = ranges[0] or padded_range(xs, 0.01 if has_only_lines else 0.04)
    low, high = ranges[1] or padded_range(ys, 0.06)
    if any(isinstance(mark, Bars) for mark in marks) and not ranges[1]:
        low, high = (low if min(ys) < 0 else 0.0), (high if max(ys) > 0 else 0.0)
    return Axes(_increasing(*x), _increasing(low, high), top)


def _logarithms(low: float, high: float) -> tuple[float, float] | None:
    return (math.log10(low), math.log10(high)) if min(low, high) > 0 else None


def _increasing(low: float, high: float) -> tuple[float, float]:
    low, high = sorted((float(low), float(high)))
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _on_log_axes(mark: Mark, is_log: list[bool]) -> Mark:
    """Return the mark; for a series, with the logarithms of its coordinates on each logarithmic axis."""
    if not isinstance(mark, Series) or not any(is_log):
        return mark
    with np.errstate(all="ignore"):
        x, y = (np.log10(n) if log else n for n, log in zip((mark.x, mark.y), is_log, strict=True))
    return Series(x, y, mark.name, mark.color, mark.dash, mark.has_dots, mark.colors)


def _draw_title(picture: Picture, title: str) -> float:
    """Draw the title in lines that fit a phone, and return the y coordinate below the title."""
    lines = textwrap.wrap(title, 46)
    for number, line in enumerate(lines):
        picture.text(0, 17 * number + 12, line, "f-name", 12, is_monospace=False)
    return 17.0 * len(lines) + 4


def _draw_legend(picture: Picture, plot: Plot, top: float) -> float:
    """Draw the names of the marks if the plot has a legend. Return the y coordinate of the top of the axes."""
    x, y = 0.0, top
    named_marks = [mark for mark in plot.marks if isinstance(mark, Series | Bars) and mark.name]
    for mark in named_marks if plot.has_legend else []:
        width = 28 + width_of(mark.name, 12)
        if x and x + width > WIDE:
            x, y = 0.0, y + 18
        if isinstance(mark, Series) and mark.dash is not None:
            picture.line([(x, y + 7), (x + 22, y + 7)], f"f-plot f-c-{mark.color} {mark.dash}".strip())
        else:
            picture.rect(x + 6, y + 2, 10, 10, f"f-fill f-c-{mark.color}", 2)
        picture.text(x + 28, y + 11, mark.name, "f-name", 12)
        x += width + 16
    return y + (20 if x else 0) + (20 if plot.names[1] or any(plot.is_log) else 8)


def _draw_bars(picture: Picture, axes: Axes, bars: Bars) -> None:
    """Draw bars. If there are more than BARS, adjacent bars are merged into one with the height of the highest."""
    starts = np.arange(0, len(bars.heights), math.ceil(len(bars.heights) / BARS) or 1)
    ends = np.append(starts[1:], len(bars.heights)) - 1
    heights = np.maximum.reduceat(bars.heights, starts) if len(starts) else bars.heights
    floor = axes.at(0, 0)[1]
    with picture.group(f"f-fill f-bars f-c-{bars.color}"):
        for low, high, height in zip(bars.left[starts], bars.right[ends], heights, strict=True):
            (x0, y), (x1, _) = axes.at(low, height), axes.at(high, height)
            if math.isfinite(height) and height:
                picture.rect(x0, min(y, floor), x1 - x0, abs(floor - y), "", 0)


def _draw_series(picture: Picture, axes: Axes | _Pixels, series: Series) -> None:
    indexes = _indexes(series)
    points = list(zip(series.x[indexes].tolist(), series.y[indexes].tolist(), strict=True))
    if series.dash is not None:
        axes.path(picture, points, f"f-plot f-c-{series.color} {series.dash}".strip())
    if series.dash is not None and not series.has_dots and len(points) > 1:
        return
    radius = 3.2 if len(points) < 400 else 2.0
    with picture.group(f"f-fill f-dots f-c-{series.color}"):
        for (x, y), index in zip(points, indexes, strict=True):
            if math.isfinite(x) and math.isfinite(y):
                fill = series.colors[index] if len(series.colors) else None
                picture.circle(*axes.at(x, y), radius, "", fill=fill)


def _indexes(series: Series) -> np.ndarray:
    """Return the indexes of the points to draw: all, or about POINTS of a longer series.

    Of a line, these are the lowest and the highest point of each section; of other series, evenly spaced points.
    """
    length = len(series.y)
    if length <= POINTS:
        return np.arange(length)
    if series.dash is None:
        return np.linspace(0, length - 1, POINTS).astype(int)
    parts = np.array_split(np.arange(length), POINTS // 2)
    ends = [(part[series.y[part].argmin()], part[series.y[part].argmax()]) for part in parts]
    return np.unique([0, *np.ravel(ends), length - 1])
