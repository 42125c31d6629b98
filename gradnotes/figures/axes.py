"""Draw the axes of a plot with round numbers, and convert values to positions in the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from gradnotes.figures.svg import WIDE, Picture, width_of

HIGH, BELOW = 210.0, 20.0  # px: height of a plot, and of the line with the name of the x axis
RIGHT = WIDE - 6  # leave space for a point at the end


def round_steps(low: float, high: float, count: int) -> list[float]:
    """Return about `count` evenly spaced round numbers from `low` to `high`, which must be greater: 0, 0.5, 1, 1.5, 2."""
    raw = (high - low) / count
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


def label(value: float) -> str:
    """Format a number on an axis, with a typographic minus sign.

    It has up to four significant digits; from 10,000 to ten million it is written out, as beside the bars of an `amount`.
    """
    text = f"{value:,.0f}" if 1e4 <= abs(value) < 1e7 else f"{value + 0:.4g}"  # + 0 turns -0.0 into 0.0
    return text.replace("-", "−")


def padded_range(values: Iterable[float], margin: float) -> tuple[float, float]:
    """Return (low, high), the range of the finite values, extended at both ends by `margin` times its length.

    If all finite values equal v, the range is extended by the larger of 0.5 and |v| / 2. Without finite values, extend the range
    (0, 1).
    """
    values = [value for value in values if math.isfinite(value)]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    padding = (high - low) * margin or max(1.0, abs(high)) * 0.5
    return low - padding, high + padding


@dataclass
class Axes:
    """The area of a plot. `x` and `y` are the ranges of the values, (left, top) is the upper left corner in px.

    `left` is computed from the width of the labels of the y axis, which are left of the area.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    top: float
    left: float = field(init=False)

    def __post_init__(self) -> None:
        self.marks = [label(value) for value in round_steps(*self.y, 5)]
        self.left = max(width_of(text, 11, False) for text in self.marks) + 10

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of the point (x, y) in the picture.

        A point more than 0.2 HIGH above or below the plot is moved to this distance.
        """
        right = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return self.left + right * (RIGHT - self.left), self.top + (1 - min(max(up, -0.2), 1.2)) * HIGH

    def draw(self, picture: Picture, name_x: str, name_y: str) -> None:
        """Draw lines at round numbers, their labels where there is space, and the name of each axis at its end."""
        for value, text in zip(round_steps(*self.y, 5), self.marks, strict=True):
            y = self.at(0, value)[1]
            picture.line([(self.left, y), (RIGHT, y)], "f-rule")
            picture.text(self.left - 6, y + 4, text, "f-soft", 11, anchor="end", is_monospace=False)
        after = float("-inf")
        for value in round_steps(*self.x, 6):
            x, text = self.at(value, 0)[0], label(value)
            half = width_of(text, 11, False) / 2
            picture.line([(x, self.top), (x, self.top + HIGH)], "f-rule")
            if x - half > after + 4 and x + half <= WIDE + 2:
                picture.text(x, self.top + HIGH + 15, text, "f-soft", 11, anchor="middle", is_monospace=False)
                after = x + half
        picture.text(WIDE, self.top + HIGH + 15 + BELOW, name_x, "f-name", 12, anchor="end")
        picture.text(0, self.top - 10, name_y, "f-name", 12)

    def path(self, picture: Picture, points: Iterable[tuple[float, float]], kind: str, dots: bool = False) -> None:
        """Draw a line of CSS class `kind` through the points. Points outside the plot or not finite interrupt it.

        If `dots` is set, a point between two interruptions is drawn as a dot.
        """
        part: list[tuple[float, float]] = []
        for x, y in [*points, (math.nan, math.nan)]:
            is_inside = math.isfinite(y) and self.y[0] <= y <= self.y[1] and self.x[0] <= x <= self.x[1]
            if is_inside:
                part.append(self.at(x, y))
            elif len(part) == 1 and dots:
                picture.line(part * 2, f"{kind} f-alone")  # a line of length 0, whose ends are round
            elif len(part) > 1:
                picture.line(part, kind)
            if not is_inside:
                part = []
