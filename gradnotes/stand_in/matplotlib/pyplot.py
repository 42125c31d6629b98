"""Record plots with the functions of pyplot. gradnotes.figures.plot_drawing draws them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

import numpy as np

from gradnotes.recorder import plots

from . import cm, rcParams, style  # noqa: F401 - names of pyplot
from ._axes import Axes
from ._ignored import other


class Figure:
    """Axes in a grid. `places` maps (number of the row, number of rows, columns, index) to axes."""

    def __init__(self, figsize: Any = None):
        self._wide, self._title = bool(figsize) and figsize[0] > 8, ""
        self._places: dict[tuple[int, ...], Axes] = {}
        self._current: Axes | None = None
        self._is_saved = False

    def __getattr__(self, name: str) -> Any:
        return other(name)

    @property
    def axes(self) -> list[Axes]:
        """Return the axes, row by row."""
        return [self._places[place] for place in sorted(self._places)]

    def add_subplot(self, *place: Any, **options: Any) -> Axes:
        """Return the axes at `rows, columns, index`, or at a number such as 231."""
        rows, columns, index = map(int, str(place[0]) if len(place) == 1 else place or (1, 1, 1))
        if not 1 <= index <= rows * columns:
            raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {index}")
        key = ((index - 1) // columns, rows, columns, index)
        axes = self._current = self._places.setdefault(key, Axes())
        return axes

    def add_axes(self, *_: Any, **options: Any) -> Axes:
        """Return axes that fill the figure."""
        return self.add_subplot()

    def gca(self) -> Axes:
        """Return the axes that were used last."""
        return self._current or self.add_subplot()

    def suptitle(self, text: object, **options: Any) -> Any:
        """Set the title of the figure."""
        self._title = str(text)

    def savefig(self, *_: Any, **options: Any) -> None:
        """Write no file. The figure is drawn when it is closed, since the reader could not open the file."""
        self._is_saved = True

    def show(self, *_: Any, **options: Any) -> None:
        """Draw the figure, and empty it."""
        rows = []
        for _row, places in groupby(sorted(self._places), key=lambda place: place[0]):
            row = [self._places[place]._plot for place in places]
            rows.append([plot for plot in row if plot.marks])
        is_wide = self._wide or any(len(row) > 3 for row in rows)
        if any(rows):
            figure = plots.Figure([row for row in rows if row], self._title, 560.0 if is_wide else 322.0)
            plots.recorders[-1].items.append(figure)
        self._places.clear()
        self._current = None


_figures: dict[Any, Figure] = {}  # the last is the current one


def figure(num: Any = None, figsize: Any = None, **options: Any) -> Figure:
    """Return a new figure, or the one with this number, and make it the current one."""
    if isinstance(num, Figure):
        num = next((key for key, value in _figures.items() if value is num), num)
    key = num if num is not None else max((key for key in _figures if isinstance(key, int)), default=0) + 1
    _figures[key] = _figures.pop(key) if key in _figures else Figure(figsize)
    return _figures[key]


def gcf() -> Figure:
    """Return the current figure."""
    return next(reversed(_figures.values())) if _figures else figure()


def gca() -> Axes:
    """Return the current axes."""
    return gcf().gca()


def axes(*_: Any, **options: Any) -> Axes:
    """Return axes that fill the figure."""
    return gcf().add_subplot()


def subplot(*place: Any, **options: Any) -> Axes:
    """Return axes of the current figure."""
    return gcf().add_subplot(*place)


def subplots(nrows: int = 1, ncols: int = 1, *, squeeze: bool = True, figsize: Any = None, **options: Any) -> Any:
    """Return a new figure and an array of its `Axes`, without dimensions of length 1 if `squeeze` is set."""
    new = figure(figsize=figsize)
    grid = np.empty((nrows, ncols), dtype=object)
    for index in range(nrows * ncols):
        grid.flat[index] = new.add_subplot(nrows, ncols, index + 1)
    return new, grid if not squeeze else grid.squeeze() if grid.size > 1 else grid.item()


def show(*_: Any, **options: Any) -> None:
    """Draw all figures and close them."""
    for number in list(_figures):
        _figures.pop(number).show()


def savefig(*_: Any, **options: Any) -> None:
    """Draw the current figure when it is closed. No file is written."""
    gcf().savefig()


def suptitle(text: object, **options: Any) -> None:
    """Set the title of the current figure."""
    gcf().suptitle(text)


def close(which: Any = None) -> None:
    """Close the current figure, `which` or "all", and draw it if the program has saved it."""
    for key, value in list(_figures.items()):
        if which == "all" or which in (key, value) or (which is None and value is gcf()):
            del _figures[key]
            if value._is_saved:
                value.show()


def clf() -> None:
    """Empty the current figure."""
    gcf()._places.clear()
    gcf()._current = None


def cla() -> None:
    """Empty the current axes."""
    gca().__init__()  # type: ignore[misc]


def get_cmap(name: str | None = None, lut: int | None = None) -> cm.Colormap:
    """Return the colormap `name`, by default viridis. `lut` is ignored."""
    return cm.get_cmap(name)


def _on_current_axes(name: str) -> Callable[..., Any]:
    return lambda *arguments, **options: getattr(gca(), name)(*arguments, **options)


def __getattr__(name: str) -> Any:
    for candidate in (name, f"set_{name}"):
        if candidate in vars(Axes) and not name.startswith("_"):
            return _on_current_axes(candidate)
    return other(name)


plots.recorders[-1].at_end.append(show)
