"""A tensor as a grid of cells, each with the number that the run printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gradnotes.figures.svg import WIDE, Picture, width_of

HIGH = 32.0
Style = Callable[[tuple[int, int]], str]  # the class of a cell, from row and column


def rows_and_columns(shape: Sequence[int]) -> tuple[int, int]:
    """The shape as a grid has it: a vector is one row, a number one cell."""
    return {0: (1, 1), 1: (1, *shape), 2: tuple(shape)}[len(shape)]  # type: ignore[return-value]


def place(index: Sequence[int]) -> tuple[int, int]:
    """Row and column of the element with this index."""
    return {0: (0, 0), 1: (0, *index), 2: tuple(index)}[len(index)]  # type: ignore[return-value]


def written(shape: Sequence[int]) -> str:
    """The shape as Python writes it."""
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def cell_width(*texts: Sequence[str]) -> float:
    """How wide a cell must be for all of these."""
    longest = max((width_of(one) for some in texts for one in some), default=0.0)
    return max(36.0, longest + 6)


@dataclass
class Grid:
    """Where the cells of a tensor lie in a picture."""

    tensor: Mapping[str, Any]
    x: float
    y: float
    wide: float
    high: float = HIGH
    shape: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.shape = rows_and_columns(self.tensor["shape"])

    @property
    def right(self) -> float:
        return self.x + self.shape[1] * self.wide

    @property
    def bottom(self) -> float:
        return self.y + self.shape[0] * self.high

    def corner(self, at: tuple[int, int]) -> tuple[float, float]:
        return self.x + at[1] * self.wide, self.y + at[0] * self.high

    def middle(self, at: tuple[int, int]) -> tuple[float, float]:
        x, y = self.corner(at)
        return x + self.wide / 2, y + self.high / 2

    def text(self, at: tuple[int, int]) -> str:
        return self.tensor["cells"][at[0] * self.shape[1] + at[1]]

    def places(self) -> list[tuple[int, int]]:
        return [(row, column) for row in range(self.shape[0]) for column in range(self.shape[1])]

    def draw(
        self,
        picture: Picture,
        style: Style = lambda at: "",
        values: bool = True,
        data: Callable[[tuple[int, int]], Mapping[str, Any]] = lambda at: {},
    ) -> None:
        """All cells, each a group with `data-cell`; those without a style come first, so that none covers a frame."""
        for at in sorted(self.places(), key=lambda at: bool(style(at))):
            self.cell(picture, at, style(at), self.text(at) if values else None, **data(at))

    def cell(
        self, picture: Picture, at: tuple[int, int], style: str = "", value: str | None = None, **data: Any
    ) -> None:
        """One cell, empty where there is no value."""
        x, y = self.corner(at)
        with picture.group(f"f-cell {style}".strip(), data_cell=f"{self.tensor['name']} {at[0]} {at[1]}", **data):
            picture.rect(x + 1.5, y + 1.5, self.wide - 3, self.high - 3, "")
            if value is not None:
                picture.text(x + self.wide / 2, y + self.high / 2 + 4.5, value, "f-value", anchor="middle")


def heading(picture: Picture, x: float, y: float, name: str, soft: str = "") -> None:
    """What stands above a grid: the tensor's name, and what is said of it; in two lines where one is too long."""
    picture.text(x + 1.5, y, name, "f-name")
    if soft:
        after = x + 1.5 + width_of(name) + 8
        if after + width_of(soft, 12, False) <= WIDE:
            picture.text(after, y, soft, "f-soft", 12, mono=False)
        else:
            picture.text(x + 1.5, y + 16, soft, "f-soft", 12, mono=False)


def title_height(name: str, soft: str) -> float:
    """How much room `heading` takes."""
    two = soft and 9.5 + width_of(name) + width_of(soft, 12, False) > WIDE
    return 34.0 if two else 20.0
