"""Replace torch.utils.tensorboard: plot on the page the scalars that a program logs, and write no file."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradnotes.recorder import plots


class SummaryWriter:
    """The stand-in for SummaryWriter. It plots the scalars at `close` or at the end of the program."""

    def __init__(self, log_dir: str | None = None, comment: str = "", **options: Any) -> None:
        self.log_dir = log_dir or f"runs{comment}"
        self._scalars: dict[str, dict[str, list[tuple[float, float]]]] = {}
        self._recorder = plots.recorders[-1]
        self._recorder.at_end.append(self.close)

    def add_scalar(self, tag: str, scalar_value: Any, global_step: Any = None, *_: Any, **options: Any) -> None:
        """Add a point to the line in the plot of `tag`."""
        self.add_scalars(tag, {"": scalar_value}, global_step)

    def add_scalars(self, main_tag: str, tag_scalar_dict: dict[str, Any], global_step: Any = None, *_: Any) -> None:
        """Add a point to each line in the plot of `main_tag`. `tag_scalar_dict` maps the names of lines to numbers."""
        lines = self._scalars.setdefault(str(main_tag), {})
        for name, value in tag_scalar_dict.items():
            points = lines.setdefault(str(name), [])
            points.append(
                (float(len(points) if global_step is None else global_step), float(getattr(value, "data", value)))
            )

    def close(self) -> None:
        """Plot the scalars that were added since the last call."""
        panels = [_plot(tag, lines) for tag, lines in self._scalars.items()]
        self._scalars.clear()
        if panels:
            self._recorder.items.append(plots.Figure([panels], "", 322.0))

    def flush(self) -> None:
        """Do nothing: `close` plots the scalars."""

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("add_"):
            raise AttributeError(f"'SummaryWriter' object has no attribute {name!r}")
        return lambda *_, **options: self._recorder.leave_out(name)


def _plot(tag: str, lines: dict[str, list[tuple[float, float]]]) -> plots.Plot:
    plot = plots.Plot(title=tag, names=["step", ""], has_legend=len(lines) > 1)
    for number, (name, points) in enumerate(lines.items()):
        x, y = np.array(points).T
        plot.marks.append(plots.Series(x, y, name, str(number % plots.COLORS), ""))
    return plot
