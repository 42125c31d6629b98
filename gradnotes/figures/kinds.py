"""The kinds of figures: what each takes, records and draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gradnotes.figures import amount, broadcast, curve, graph, image, index, strides, timeline, window
from gradnotes.figures.drawing import Drawing
from gradnotes.figures.story import Story
from gradnotes.figures.watching import Keys, Namespace, WatchError, expressions

Draw = Callable[[dict[str, Any], Keys], Drawing]


@dataclass(frozen=True)
class FigureKind:
    """`record` looks at the ended program (and at its story, where it has one), `draw` knows only what was recorded."""

    record: Callable[..., dict[str, Any]]
    draw: Draw
    keys: tuple[str, ...] = ()
    story: bool = False
    without_watch: bool = False


KINDS: Mapping[str, FigureKind] = {
    "strides": FigureKind(strides.record, strides.draw),
    "broadcast": FigureKind(broadcast.record, broadcast.draw, ("arrives",)),
    "index": FigureKind(index.record, index.draw),
    "window": FigureKind(window.record, window.draw, ("arrives",)),
    "timeline": FigureKind(timeline.record, timeline.draw, story=True),
    "curve": FigureKind(curve.record, curve.draw, ("at", "along", "over")),
    "graph": FigureKind(graph.record, graph.draw, ("call",), story=True, without_watch=True),
    "image": FigureKind(image.record, image.draw, ("signed", "labels", "size", "along", "numbers", "rows", "columns")),
    "amount": FigureKind(amount.record, amount.draw, ("unit",)),
}


class Watch:
    """Looks at one run for one figure. The program's observer calls `ends` after each statement, and `over` at the end."""

    def __init__(self, keys: Keys, lines: list[str]):
        self.keys, self.kind = keys, KINDS[keys["kind"]]
        self.last = int(keys["last"]) if "last" in keys else len(lines)
        self.found: dict[str, Any] | None = None
        names = expressions(keys["watch"]) if self.kind.story and "watch" in keys else []
        self.story = Story(names, lines, keys["kind"] == "graph") if self.kind.story else None

    def ends(self, namespace: Namespace, first: int, last: int) -> None:
        """After the statement in these lines."""
        if self.found is None and first <= self.last:
            if self.story:
                self.story.ends(namespace, first, last)
            if last == self.last:
                self.over(namespace)

    def over(self, namespace: Namespace) -> None:
        """After the last statement that counts; what cannot be drawn is kept as its reason."""
        if self.found is None:
            try:
                self.found = self.kind.record(self.keys, namespace, *([self.story] if self.story else []))
            except WatchError as error:
                self.found = {"error": error.message, "remedy": error.remedy}
