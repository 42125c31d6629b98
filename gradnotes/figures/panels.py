"""Define what a kind of figure draws: panels in frames, one frame per step, and an alternative text."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradnotes.figures.svg import Picture

BREAK = "\n"  # line break between two panels


@dataclass(frozen=True)
class Panel:
    """A picture with its title and its alternative text."""

    picture: Picture
    title: str
    alt_text: str


@dataclass(frozen=True)
class Frame:
    """One step of a figure: panels, signs such as `+` between them, and the sentence below."""

    label: str
    caption: str
    panels: list[Panel | str]


@dataclass(frozen=True)
class Drawing:
    """A figure: its frames and the alternative text for all of them.

    A single frame may have marks instead of steps: elements with `data-mark`, highlighted one at a time.
    """

    alt_text: str
    frames: list[Frame]
    slider_label: str = ""  # unit of the slider: "Write", "Position"
    marks: list[str] = field(default_factory=list)  # sentence of each mark
    first: int = 0  # index of the mark that is highlighted at first
