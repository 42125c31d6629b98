"""Record plots with the functions of pyplot. gradnotes.figures.plot_drawing draws the recorded plots."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

import numpy as np

from gradnotes.recorder import plots

from . import cm, rcParams, style  # noqa: F401 - names of pyplot
from ._axes import Axes
from ._ignored import stand_in_for


class Figure:
    """The stand-in for matplotlib's Figure: axes in a grid.

    `_axes_by_cell` maps (row from 0, number of rows, number of columns, index from 1) to axes.
    """

    def __init__(self, figsize: Any = None):
        self._wide, self._title = bool(figsize) and figsize[0] > 8, ""
        self._axes_by_cell: dict[tuple[int, ...], Axes] = {}
        self._current_axes: Axes | None = None
        self._is_saved = False

    def __getattr__(self, name: str) -> Any:
        return stand_in_for(name)

    @property
    def axes(self) -> list[Axes]:
        """Return the axes, row by row."""
        return [self._axes_by_cell[cell] for cell in sorted(self._axes_by_cell)]

    def add_subplot(self, *position: Any, **options: Any) -> Axes:
        """Return the axes at `rows, columns, index`, or at a number such as 231, which stands for `2, 3, 1`."""
        rows, columns, index = map(int, str(position[0]) if len(position) == 1 else position or (1, 1, 1))
        if not 1 <= index <= rows * columns:
            raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {index}")
        key = ((index - 1) // columns, rows, columns, index)
        axes = self._current_axes = self._axes_by_cell.setdefault(key, Axes())
        return axes

    def add_axes(self, *_: Any, **options: Any) -> Axes:
        """Return the axes that fill the figure."""
        return self.add_subplot()

    def gca(self) -> Axes:
        """Return the axes that were added last; add axes if there are none."""
        return self._current_axes or self.add_subplot()

    def suptitle(self, text: object, **options: Any) -> Any:
        """Set the title of the figure."""
        self._title = str(text)

    def savefig(self, *_: Any, **options: Any) -> None:
        """Mark the figure to be drawn when it is closed. Write no file, because the reader could not open it."""
        self._is_saved = True

    def show(self, *_: Any, **options: Any) -> None:
        """Record the plots of the figure, to be drawn on the page, and remove its axes."""
        rows = []
        for _row, cells in groupby(sorted(self._axes_by_cell), key=lambda cell: cell[0]):
            row = [self._axes_by_cell[cell]._plot for cell in cells]
            rows.append([plot for plot in row if plot.marks])
        is_wide = self._wide or any(len(row) > 3 for row in rows)
        if any(rows):
            figure = plots.Figure([row for row in rows if row], self._title, 560.0 if is_wide else 322.0)
            plots.recorders[-1].items.append(figure)
        self._axes_by_cell.clear()
        self._current_axes = None


_figures: dict[Any, Figure] = {}  # the last figure is the current figure


def figure(num: Any = None, figsize: Any = None, **options: Any) -> Figure:
    """Return the figure with number `num`, or a new figure, and make it the current figure."""
    if isinstance(num, Figure):
        num = next((key for key, value in _figures.items() if value is num), num)
    key = num if num is not None else max((key for key in _figures if isinstance(key, int)), default=0) + 1
    _figures[key] = _figures.pop(key) if key in _figures else Figure(figsize)
    return _figures[key]


def gcf() -> Figure:
    """Return the current figure; create one if there is none."""
    return next(reversed(_figures.values())) if _figures else figure()


def gca() -> Axes:
    """Return the current axes; create axes, and a figure, if there are none."""
    return gcf().gca()


def axes(*_: Any, **options: Any) -> Axes:
    """Return the axes that fill the current figure."""
    return gcf().add_subplot()


def subplot(*position: Any, **options: Any) -> Axes:
    """Return the axes of the current figure at a position, see `Figure.add_subplot`."""
    return gcf().add_subplot(*position)


def subplots(nrows: int = 1, ncols: int = 1, *, squeeze: bool = True, figsize: Any = None, **options: Any) -> Any:
    """Return a new figure and an array (nrows, ncols) of its axes.

    `squeeze` removes dimensions of length 1; a single Axes is then returned without an array.
    """
    new_figure = figure(figsize=figsize)
    grid = np.empty((nrows, ncols), dtype=object)
    for index in range(nrows * ncols):
        grid.flat[index] = new_figure.add_subplot(nrows, ncols, index + 1)
    return new_figure, grid if not squeeze else grid.squeeze() if grid.size > 1 else grid.item()


def show(*_: Any, **options: Any) -> None:
    """Record the plots of all figures, to be drawn on the page, and close the figures."""
    for number in list(_figures):
        _figures.pop(number).show()


def savefig(*_: Any, **options: Any) -> None:
    """Mark the current figure to be drawn when it is closed. Write no file."""
    gcf().savefig()


def suptitle(text: object, **options: Any) -> None:
    """Set the title of the current figure."""
    gcf().suptitle(text)


def close(fig: Any = None) -> None:
    """Close the current figure, the figure `fig` or with this number, or all for "all". Draw those that were saved."""
    for key, value in list(_figures.items()):
        if fig == "all" or fig in (key, value) or (fig is None and value is gcf()):
            del _figures[key]
            if value._is_saved:
                value.show()


def clf() -> None:
    """Remove the axes of the current figure."""
    gcf()._axes_by_cell.clear()
    gcf()._current_axes = None


def cla() -> None:
    """Remove everything drawn in the current axes."""
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
    return stand_in_for(name)


plots.recorders[-1].at_end.append(show)
