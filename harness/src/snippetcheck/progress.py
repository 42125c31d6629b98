"""Show the progress of a long run as a bar, on a terminal only."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from snippetcheck.report import printable

_WIDTH = 30
_FEWEST = 10  # snippets; a shorter run needs no bar


class Progress:
    """The progress bar of `total` snippets on `stream`. Messages are printed above it."""

    def __init__(self, total: int, stream: TextIO | None = None):
        self.total = total
        self.stream = stream or sys.stderr
        self.done = self.red = 0
        self.began = time.monotonic()
        self.is_shown = total >= _FEWEST and self.stream.isatty()
        self.draw()

    def say(self, text: str, end: str = "\n") -> None:
        """Print to stdout, above the bar."""
        self.clear()
        print(printable(text), end=end, flush=self.is_shown)
        self.draw()

    def advance(self, is_red: bool) -> None:
        """Count one more snippet as done."""
        self.done += 1
        self.red += is_red
        self.draw()

    def draw(self) -> None:
        """Draw the bar."""
        if self.is_shown:
            self.stream.write(f"\r{self.line()}\x1b[K")
            self.stream.flush()

    def clear(self) -> None:
        """Remove the bar."""
        if self.is_shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def line(self) -> str:
        """Return the bar as text: `[#####.....] 12/24, 1 red, about 3 s left`."""
        filled = _WIDTH * self.done // max(self.total, 1)
        parts = [f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {self.done}/{self.total}"]
        if self.red:
            parts.append(f"{self.red} red")
        if 0 < self.done < self.total:
            left = (time.monotonic() - self.began) / self.done * (self.total - self.done)
            parts.append(f"about {left:.0f} s left")
        return ", ".join(parts)
