"""Define the data of a drawn figure: an alternative text, and frames with panels. The slider selects a frame."""

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
    """One step of a figure: its panels, with signs such as `+` between them, and a sentence (`caption`) below them."""

    label: str
    caption: str
    panels: list[Panel | str]


@dataclass(frozen=True)
class Drawing:
    """A figure: its frames and the alternative text for all of them.

    A figure with a single frame may have marks: elements with `data-mark`, which the slider highlights one at a time.
    """

    alt_text: str
    frames: list[Frame]
    slider_label: str = ""  # what the slider selects, such as "Write" or "Position"
    marks: list[str] = field(default_factory=list)  # a sentence about each mark
    first: int = 0  # index of the mark that is highlighted at first
