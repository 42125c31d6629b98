"""Define the kinds of figures: the keys of their fences, and the functions that record and draw them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gradnotes.figures import amount, broadcast, curve, graph, image, index, strides, timeline, window
from gradnotes.figures.expressions import Keys, Namespace, WatchError, expressions, first_line
from gradnotes.figures.history import TensorHistory
from gradnotes.figures.panels import Drawing

Draw = Callable[[dict[str, Any], Keys], Drawing]


@dataclass(frozen=True)
class FigureKind:
    """One kind of figure.

    `record` reads the variables of a program after its last statement, or after the `region:` of the fence. `draw` uses
    only what `record` returned.
    """

    record: Callable[..., dict[str, Any]]
    draw: Draw
    keys: tuple[str, ...] = ()  # keys of the fence that not every kind has
    needs_history: bool = False  # `record` also gets a TensorHistory
    is_watch_optional: bool = False
    draws_passes: bool = False  # graph.join_pass adds a backward pass to what `draw` gets


KINDS: Mapping[str, FigureKind] = {
    "strides": FigureKind(strides.record, strides.draw),
    "broadcast": FigureKind(broadcast.record, broadcast.draw, ("arrives",)),
    "index": FigureKind(index.record, index.draw),
    "window": FigureKind(window.record, window.draw, ("arrives",)),
    "timeline": FigureKind(timeline.record, timeline.draw, needs_history=True),
    "curve": FigureKind(curve.record, curve.draw, ("at", "along", "over")),
    "graph": FigureKind(
        graph.record, graph.draw, ("call",), needs_history=True, is_watch_optional=True, draws_passes=True
    ),
    "image": FigureKind(image.record, image.draw, ("signed", "labels", "size", "along", "numbers", "rows", "columns")),
    "amount": FigureKind(amount.record, amount.draw, ("unit",)),
}


class Watch:
    """Recorder of one figure. The program's observer calls `statement_finished` and `program_finished`."""

    def __init__(self, keys: Keys, lines: list[str]):
        self.keys, self.kind = keys, KINDS[keys["kind"]]
        self.last = int(keys["last"]) if "last" in keys else len(lines)
        self.recording: dict[str, Any] | None = None
        self.history: TensorHistory | None = None
        try:
            names = expressions(keys["watch"]) if self.kind.needs_history and "watch" in keys else []
        except WatchError as error:
            self.recording = {"error": error.message, "remedy": error.remedy}
        else:
            self.history = TensorHistory(names, lines, keys["kind"] == "graph") if self.kind.needs_history else None

    def statement_finished(self, namespace: Namespace, first: int, last: int) -> None:
        """Add the statement in lines `first` to `last` to the history, if the figure has one.

        After the statement that ends in line `self.last`, record the figure, and ignore later statements.
        """
        if self.recording is None and first <= self.last:
            if self.history:
                self.history.statement_finished(namespace, first, last)
            if last == self.last:
                self.program_finished(namespace)

    def program_finished(self, namespace: Namespace) -> None:
        """Record the figure, unless `statement_finished` has done so. Record an error if it cannot be drawn."""
        if self.recording is None:
            try:
                self.recording = self.kind.record(self.keys, namespace, *([self.history] if self.history else []))
            except WatchError as error:
                self.recording = {"error": error.message, "remedy": error.remedy}
            except Exception as error:  # an operation of the figure, such as a sum of shapes that cannot be broadcast
                message = f"cannot draw `{self.keys.get('watch', '')}`: {first_line(error)}"
                self.recording = {"error": message, "remedy": "correct the expressions in the keys of the fence"}
