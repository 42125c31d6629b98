"""The frame of a plot: two axes with round numbers, and where a value lies between them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from gradnotes.figures.svg import WIDE, Picture, width_of

HIGH, BELOW = 210.0, 20.0
RIGHT = WIDE - 6  # room for a point at the end


def round_steps(low: float, high: float, wanted: int) -> list[float]:
    """About `wanted` round numbers from `low` to `high`."""
    raw = (high - low) / wanted
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


def label(value: float) -> str:
    """A number of an axis, which no run printed: as short as it goes."""
    return f"{value + 0:.4g}".replace("-", "−")


def spread(values: Iterable[float], margin: float) -> tuple[float, float]:
    """From the least to the greatest, with a margin; never empty."""
    values = [one for one in values if math.isfinite(one)]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    room = (high - low) * margin or max(1.0, abs(high)) * 0.5
    return low - room, high + room


@dataclass
class Axes:
    """The plane of a plot, whose upper left corner is at (left, top)."""

    x: tuple[float, float]
    y: tuple[float, float]
    top: float
    left: float = 0.0

    def __post_init__(self) -> None:
        self.marks = [label(one) for one in round_steps(*self.y, 5)]
        self.left = max(width_of(one, 11, False) for one in self.marks) + 10

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point lies; what is far outside is held near the frame."""
        right = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return self.left + right * (RIGHT - self.left), self.top + (1 - min(max(up, -0.2), 1.2)) * HIGH

    def draw(self, picture: Picture, name_x: str, name_y: str) -> None:
        """Lines at round numbers, with the numbers; the axes' names at their ends."""
        for value, text in zip(round_steps(*self.y, 5), self.marks, strict=True):
            y = self.at(0, value)[1]
            picture.line([(self.left, y), (RIGHT, y)], "f-rule")
            picture.text(self.left - 6, y + 4, text, "f-soft", 11, anchor="end", mono=False)
        after = float("-inf")
        for value in round_steps(*self.x, 6):
            x, text = self.at(value, 0)[0], label(value)
            half = width_of(text, 11, False) / 2
            picture.line([(x, self.top), (x, self.top + HIGH)], "f-rule")
            if x - half > after + 4 and x + half <= WIDE + 2:
                picture.text(x, self.top + HIGH + 15, text, "f-soft", 11, anchor="middle", mono=False)
                after = x + half
        picture.text(WIDE, self.top + HIGH + 15 + BELOW, name_x, "f-name", 12, anchor="end")
        picture.text(0, self.top - 10, name_y, "f-name", 12)

    def path(self, picture: Picture, points: Iterable[tuple[float, float]], kind: str) -> None:
        """A line through the points, cut off where it leaves the frame."""
        part: list[tuple[float, float]] = []
        for x, y in [*points, (math.nan, math.nan)]:
            inside = math.isfinite(y) and self.y[0] <= y <= self.y[1] and self.x[0] <= x <= self.x[1]
            if inside:
                part.append(self.at(x, y))
            elif len(part) > 1:
                picture.line(part, kind)
            if not inside:
                part = []
