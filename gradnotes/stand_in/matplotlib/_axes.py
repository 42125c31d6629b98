"""Record what a program draws into a pair of axes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradnotes.recorder import plots

from . import cm
from ._ignored import IGNORED, stand_in_for

_HUES = (  # the colors of docs/assets/run.css, in order: hexadecimal, and matplotlib's names of similar colors
    ("1f77b4", "b blue tab:blue steelblue royalblue dodgerblue navy"),
    ("ff7f0e", "orange tab:orange darkorange gold y yellow"),
    ("2ca02c", "g green tab:green lime darkgreen limegreen tab:olive"),
    ("d62728", "r red tab:red crimson darkred firebrick tomato"),
    ("9467bd", "purple tab:purple violet indigo"),
    ("8c564b", "brown tab:brown sienna"),
    ("e377c2", "m magenta pink tab:pink hotpink"),
    ("17becf", "c cyan tab:cyan teal skyblue lightblue"),
)
_NAMES = {name: str(n) for n, (_, names) in enumerate(_HUES) for name in names.split()}
_NAMES |= dict.fromkeys(("k", "black"), "ink") | dict.fromkeys(("w", "white"), "paper")
_NAMES |= dict.fromkeys(("gray", "grey", "tab:gray", "lightgray", "silver", "darkgray"), "soft")
_DASHES = {"-": "", "solid": "", "--": "f-dashed", "dashed": "f-dashed", ":": "f-dotted", "dotted": "f-dotted"}
_DASHES |= {"-.": "f-dashdot", "dashdot": "f-dashdot"}
_FORMAT = re.compile(r"(?P<color>C\d|[bgrcmykw])?(?P<marker>[.,ov^<>1234s*xXD+dhHpP|_])?(?P<line>--|-\.|-|:)?")


def _color(value: Any, default: str) -> str:
    """Return the color of the page that is most similar to `value`, a color of matplotlib, or `default` if unknown."""
    if isinstance(value, tuple | list | np.ndarray) and len(value) in (3, 4):
        value = "#" + "".join(f"{round(255 * float(part)):02x}" for part in value[:3])
    if not isinstance(value, str):
        return default
    if re.fullmatch(r"#[\da-fA-F]{6}", value):
        distances = [
            sum((int(value[n + 1 : n + 3], 16) - int(hue[n : n + 2], 16)) ** 2 for n in (0, 2, 4)) for hue, _ in _HUES
        ]
        return str(distances.index(min(distances)))
    if re.fullmatch(r"C\d+", value):
        return str(int(value[1:]) % plots.COLORS)
    return _NAMES.get(value, default)


def _numbers(value: Any) -> np.ndarray:
    """Return an array of floats with at least one dimension; for an array of texts, 0, 1, 2, ..."""
    array = np.atleast_1d(np.asarray(value))
    return np.arange(len(array), dtype=float) if array.dtype.kind in "US" else array.astype(float)


class Axes:
    """The stand-in for matplotlib's Axes. The first call of a method that cannot be drawn adds a remark to the page."""

    def __init__(self) -> None:
        self._plot = plots.Plot()
        self._color_count = 0

    def __getattr__(self, name: str) -> Any:
        return stand_in_for(name)

    def _next_color(self, color: Any) -> str:
        default = str(self._color_count % plots.COLORS)
        self._color_count += color is None
        return _color(color, default)

    def plot(self, *arguments: Any, scalex: bool = True, **options: Any) -> list[Any]:
        """Draw a line for each `[x], y, [format]` in the arguments; for a two-dimensional `y`, a line per column."""
        lines = []
        for x, y, text in _split(arguments):
            columns = [numbers.reshape(len(numbers), -1).T for numbers in (x, y)]
            for number, column in enumerate(columns[1]):
                lines.append(self._line(columns[0][number % len(columns[0])], column, text, options))
        return lines

    def _line(self, x: np.ndarray, y: np.ndarray, text: str, options: dict[str, Any]) -> Any:
        if len(x) != len(y):
            raise ValueError(f"x and y must have same first dimension, but have shapes {x.shape} and {y.shape}")
        match = _FORMAT.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is not a valid format string")
        marker = options.get("marker", match["marker"]) not in (None, "", " ", "None")
        dash = options.get("linestyle", options.get("ls", match["line"] or ("None" if match["marker"] else "-")))
        if self._color_count >= plots.COLORS and dash == "-":
            dash = "--"  # all colors are in use: a second line of the same color is dashed
        color = self._next_color(options.get("color", options.get("c", match["color"])))
        name = str(options.get("label", ""))
        series = plots.Series(x, y, "" if name.startswith("_") else name, color, _DASHES.get(str(dash)), marker)
        self._plot.marks.append(series)
        return IGNORED

    def scatter(self, x: Any, y: Any, s: Any = None, c: Any = None, *_: Any, cmap: Any = None, **options: Any) -> Any:
        """Draw points. `c` is a color for all points, or a sequence with a number or a color per point."""
        xs, ys = _numbers(x).ravel(), _numbers(y).ravel()
        if len(xs) != len(ys):
            raise ValueError("x and y must be the same size")
        point_colors: list[str] = []
        if c is not None and not isinstance(c, str) and len(c) == len(xs):
            rgb = _point_colors(c, cmap, options.get("vmin"), options.get("vmax"))
            point_colors = ["#" + "".join(f"{channel:02x}" for channel in row) for row in rgb]
        color = "soft" if point_colors else self._next_color(options.get("color", c))
        self._plot.marks.append(plots.Series(xs, ys, str(options.get("label", "")), color, colors=point_colors))
        return IGNORED

    def hist(self, x: Any, bins: Any = 10, range: Any = None, density: bool = False, **options: Any) -> Any:
        """Draw a histogram. Return the counts, the edges of the bins, and a stand-in for the bars."""
        values = _numbers(
            np.ravel(x) if not isinstance(x, list | tuple) else np.concatenate([np.ravel(part) for part in x])
        )
        counts, edges = np.histogram(values, bins, range, density)
        color = self._next_color(options.get("color"))
        bars = plots.Bars(edges[:-1], edges[1:], counts.astype(float), str(options.get("label", "")), color)
        self._plot.marks.append(bars)
        return counts, edges, IGNORED

    def bar(self, x: Any, height: Any, width: float = 0.8, *_: Any, **options: Any) -> Any:
        """Draw bars centered at `x`. If `x` are texts, draw bars at 0, 1, ..., and list the texts in the axis name."""
        xs = _numbers(x)
        if not self._plot.names[0] and np.asarray(x).dtype.kind in "US":
            self._plot.names[0] = ", ".join(f"{n}: {text}" for n, text in enumerate(x))
        heights = np.broadcast_to(_numbers(height), xs.shape)
        color = self._next_color(options.get("color"))
        bars = plots.Bars(xs - width / 2, xs + width / 2, heights, str(options.get("label", "")), color)
        self._plot.marks.append(bars)
        return IGNORED

    def imshow(self, X: Any, cmap: Any = None, *_: Any, vmin: Any = None, vmax: Any = None, **options: Any) -> Any:  # noqa: N803
        """Draw an array as pixels: of shape (rows, columns), or (rows, columns, 3 or 4) for RGB or RGBA colors."""
        array = np.asarray(X)
        if array.ndim == 3 and array.shape[2] == 1:
            array = array[:, :, 0]
        if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (3, 4)):
            raise TypeError(f"Invalid shape {array.shape} for image data")
        values = array.astype(float)
        finite_values = values[np.isfinite(values)]
        low = float(vmin if vmin is not None else finite_values.min() if finite_values.size else 0)
        high = float(vmax if vmax is not None else finite_values.max() if finite_values.size else 1)
        if array.ndim == 3:
            pixels = np.clip(values[:, :, :3] * (1 if array.dtype.kind in "ui" else 255), 0, 255).astype(np.uint8)
        else:
            pixels = cm.colors(values, cmap, low, high)
        self._plot.marks.append(plots.Image(pixels, low, high))
        return IGNORED

    matshow = imshow

    def text(self, x: float, y: float, s: object, *_: Any, **options: Any) -> Any:
        """Write a text at the point (x, y)."""
        anchor = {"center": "middle", "right": "end"}.get(
            str(options.get("ha", options.get("horizontalalignment"))), "start"
        )
        color = _color(options.get("color", options.get("c")), "ink")
        drop = {"bottom": 0.0, "top": 9.0, "center": 4.0}.get(
            str(options.get("va", options.get("verticalalignment"))), 0.0
        )
        self._plot.marks.append(plots.Text(float(x), float(y), str(s), color, anchor, drop))
        return IGNORED

    def axhline(self, y: float = 0, *_: Any, **options: Any) -> Any:
        """Draw a horizontal line over the range of x of the lines and points drawn so far, or from 0 to 1."""
        xs = [mark.x for mark in self._plot.marks if isinstance(mark, plots.Series) and len(mark.x)]
        ends = (min(x.min() for x in xs), max(x.max() for x in xs)) if xs else (0.0, 1.0)
        return self._line(np.array(ends), np.array([float(y)] * 2), "", options)

    def semilogy(self, *arguments: Any, **options: Any) -> Any:
        """Draw lines as `plot` does, and make the vertical axis logarithmic."""
        self._plot.is_log[1] = True
        return self.plot(*arguments, **options)

    def legend(self, *arguments: Any, **options: Any) -> Any:
        """Show the legend. A list of labels sets the names of lines and bars."""
        names = options.get("labels", arguments[-1] if arguments else ())
        marks = [mark for mark in self._plot.marks if isinstance(mark, plots.Series | plots.Bars)]
        for mark, name in zip(marks, names, strict=False):
            mark.name = str(name)
        self._plot.has_legend = True
        return IGNORED

    def axis(self, *arguments: Any, **options: Any) -> Any:
        """Hide the axes for "off" or False; set their ranges for [xmin, xmax, ymin, ymax]."""
        if arguments and isinstance(arguments[0], list | tuple):
            self.set_xlim(*arguments[0][:2])
            self.set_ylim(*arguments[0][2:])
        elif arguments and arguments[0] in ("off", False):
            self._plot.has_axes = False
        return IGNORED

    def set_axis_off(self) -> None:
        """Hide the axes."""
        self._plot.has_axes = False

    def set_title(self, label: object, *_: Any, **options: Any) -> Any:
        """Set the title of the plot."""
        self._plot.title = str(label)

    def set_xlabel(self, label: object, *_: Any, **options: Any) -> Any:
        """Set the label of the horizontal axis."""
        self._plot.names[0] = str(label)

    def set_ylabel(self, label: object, *_: Any, **options: Any) -> Any:
        """Set the label of the vertical axis."""
        self._plot.names[1] = str(label)

    def set_xlim(self, *limits: Any, **options: Any) -> Any:
        """Set the range of the horizontal axis. Without two limits, reset it to the range of the data."""
        self._plot.ranges[0] = _limits(limits)

    def set_ylim(self, *limits: Any, **options: Any) -> Any:
        """Set the range of the vertical axis. Without two limits, reset it to the range of the data."""
        self._plot.ranges[1] = _limits(limits)

    def set_xscale(self, value: str, **options: Any) -> Any:
        """Make the horizontal axis logarithmic or linear."""
        self._plot.is_log[0] = value in ("log", "symlog")

    def set_yscale(self, value: str, **options: Any) -> Any:
        """Make the vertical axis logarithmic or linear."""
        self._plot.is_log[1] = value in ("log", "symlog")

    def set(self, **options: Any) -> Any:
        """Call `set_NAME(value)` for each keyword argument `NAME=value`."""
        for name, value in options.items():
            getattr(self, f"set_{name}")(value)


def _split(arguments: tuple[Any, ...]) -> Iterator[tuple[np.ndarray, np.ndarray, str]]:
    """Yield (x, y, format) of each line in the arguments of `plot`. x defaults to 0, 1, ..., format to ""."""
    remaining = list(arguments)
    while remaining:
        first = _numbers(remaining.pop(0))
        has_second = bool(remaining) and not isinstance(remaining[0], str)
        y = _numbers(remaining.pop(0)) if has_second else first
        text = remaining.pop(0) if remaining and isinstance(remaining[0], str) else ""
        yield first if has_second else np.arange(len(y), dtype=float), y, text


def _limits(limits: tuple[Any, ...]) -> tuple[float, float] | None:
    low, high = limits[0] if len(limits) == 1 and not np.isscalar(limits[0]) else (*limits, None, None)[:2]
    return None if low is None or high is None else (float(low), float(high))


def _point_colors(c: Any, cmap: Any, low: Any, high: Any) -> np.ndarray:
    if isinstance(c[0], str):
        hues = [int(_color(text, "0")) if _color(text, "0").isdigit() else 0 for text in c]
        return np.array([[int(_HUES[hue][0][n : n + 2], 16) for n in (0, 2, 4)] for hue in hues])
    values = np.asarray(c).astype(float)
    if values.ndim == 2:
        return np.clip(values[:, :3] * 255, 0, 255).astype(np.uint8)
    low, high = (values.min() if low is None else low), (values.max() if high is None else high)
    return cm.colors(values, cmap, float(low), float(high))
