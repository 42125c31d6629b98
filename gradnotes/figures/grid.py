"""Draw a tensor as a grid of cells, each with its printed number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gradnotes.figures.svg import WIDE, Picture, width_of

HIGH = 32.0  # px: height of a cell
Style = Callable[[tuple[int, int]], str]  # maps (row, column) to a CSS class, or ""


def rows_and_columns(shape: Sequence[int]) -> tuple[int, int]:
    """Return the shape of the grid that shows a tensor of at most two dimensions: one row for a vector, one cell for a number."""
    return {0: (1, 1), 1: (1, *shape), 2: tuple(shape)}[len(shape)]  # type: ignore[return-value]


def cell_position(index: Sequence[int]) -> tuple[int, int]:
    """Return (row, column) in the grid of the element with this index: (0, 0) for (), (0, i) for (i,)."""
    return {0: (0, 0), 1: (0, *index), 2: tuple(index)}[len(index)]  # type: ignore[return-value]


def shape_text(shape: Sequence[int]) -> str:
    """Format a shape as Python prints it."""
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def cell_width(*texts: Sequence[str]) -> float:
    """Return a width of cells, in px, that fits all texts. Each argument has the texts of the cells of one tensor."""
    longest = max((width_of(text) for cells in texts for text in cells), default=0.0)
    return max(36.0, longest + 6)


@dataclass
class Grid:
    """The cells of a tensor, which is a dict as `expressions.tensor_record` returns it.

    (x, y) is the upper left corner of the grid; `width` and `height` are the size of one cell, in px.
    """

    tensor: Mapping[str, Any]
    x: float
    y: float
    width: float
    height: float = HIGH
    shape: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.shape = rows_and_columns(self.tensor["shape"])

    @property
    def right(self) -> float:
        """Return the x coordinate of the right edge."""
        return self.x + self.shape[1] * self.width

    @property
    def bottom(self) -> float:
        """Return the y coordinate of the lower edge."""
        return self.y + self.shape[0] * self.height

    def corner(self, at: tuple[int, int]) -> tuple[float, float]:
        """Return the upper left corner of the cell at (row, column), in px."""
        return self.x + at[1] * self.width, self.y + at[0] * self.height

    def middle(self, at: tuple[int, int]) -> tuple[float, float]:
        """Return the center of the cell at (row, column), in px."""
        x, y = self.corner(at)
        return x + self.width / 2, y + self.height / 2

    def text(self, at: tuple[int, int]) -> str:
        """Return the printed number in the cell at (row, column)."""
        return self.tensor["cells"][at[0] * self.shape[1] + at[1]]

    def positions(self) -> list[tuple[int, int]]:
        """Return all (row, column) pairs, row by row."""
        return [(row, column) for row in range(self.shape[0]) for column in range(self.shape[1])]

    def draw(
        self,
        picture: Picture,
        style: Style = lambda at: "",
        has_values: bool = True,
        data: Callable[[tuple[int, int]], Mapping[str, Any]] = lambda at: {},
    ) -> None:
        """Draw all cells, each as a group with `data-cell`. Cells with a style are drawn last, on top of the others.

        If `has_values` is False, the cells are empty. `data` returns further attributes of the cell at (row, column), such
        as {"data_mark": 3}.
        """
        for at in sorted(self.positions(), key=lambda at: bool(style(at))):
            self.cell(picture, at, style(at), self.text(at) if has_values else None, **data(at))

    def cell(
        self, picture: Picture, at: tuple[int, int], style: str = "", value: str | None = None, **data: Any
    ) -> None:
        """Draw the cell at (row, column) with the text `value`, or empty if `value` is None."""
        x, y = self.corner(at)
        with picture.group(f"f-cell {style}".strip(), data_cell=f"{self.tensor['name']} {at[0]} {at[1]}", **data):
            picture.rect(x + 1.5, y + 1.5, self.width - 3, self.height - 3, "")
            if value is not None:
                picture.text(x + self.width / 2, y + self.height / 2 + 4.5, value, "f-value", anchor="middle")


def heading(picture: Picture, x: float, y: float, name: str, note: str = "") -> None:
    """Write a tensor's name from (x, y) on, and `note` after the name, or below the name if one line is too short."""
    picture.text(x + 1.5, y, name, "f-name")
    if note:
        after = x + 1.5 + width_of(name) + 8
        if after + width_of(note, 12, False) <= WIDE:
            picture.text(after, y, note, "f-soft", 12, is_monospace=False)
        else:
            picture.text(x + 1.5, y + 16, note, "f-soft", 12, is_monospace=False)


def title_height(name: str, note: str) -> float:
    """Return the height of the `heading` of these texts at x = 0, in px."""
    has_two_lines = note and 9.5 + width_of(name) + width_of(note, 12, False) > WIDE
    return 34.0 if has_two_lines else 20.0
