"""A bar that shows how far a long run is. Drawn on a terminal only."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from snippetcheck.report import printable

_WIDTH = 30
_FEWEST = 10  # a run of fewer snippets is over before a bar helps


class Progress:
    """The bar of a run of `total` snippets, on `stream`; what is said stands above it."""

    def __init__(self, total: int, stream: TextIO | None = None):
        self.total = total
        self.stream = stream or sys.stderr
        self.done = self.red = 0
        self.began = time.monotonic()
        self.is_shown = total >= _FEWEST and self.stream.isatty()
        self.draw()

    def say(self, text: str, end: str = "\n") -> None:
        """Print to stdout, and draw the bar anew below."""
        self.clear()
        print(printable(text), end=end, flush=self.is_shown)
        self.draw()

    def advance(self, is_red: bool) -> None:
        """One more snippet is done."""
        self.done += 1
        self.red += is_red
        self.draw()

    def draw(self) -> None:
        """Show the bar as it stands."""
        if self.is_shown:
            self.stream.write(f"\r{self.line()}\x1b[K")
            self.stream.flush()

    def clear(self) -> None:
        """Take the bar away."""
        if self.is_shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def line(self) -> str:
        """`[#####.....] 12/24, 1 red, about 3 s left`."""
        filled = _WIDTH * self.done // max(self.total, 1)
        parts = [f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {self.done}/{self.total}"]
        if self.red:
            parts.append(f"{self.red} red")
        if 0 < self.done < self.total:
            left = (time.monotonic() - self.began) / self.done * (self.total - self.done)
            parts.append(f"about {left:.0f} s left")
        return ", ".join(parts)
