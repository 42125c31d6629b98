"""What a kind gives back: panels, which lie below each other where the screen is narrow, a frame for each step, and words for all of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from gradnotes.figures.svg import Picture

BREAK = "\n"  # between two panels: what follows lies below


@dataclass(frozen=True)
class Panel:
    """A picture, and what it says."""

    picture: Picture
    title: str
    words: str


@dataclass(frozen=True)
class Frame:
    """One step of a figure: panels, with signs such as `+` between them, and the sentence that stands under them."""

    label: str
    say: str
    panels: list[Panel | str]


@dataclass(frozen=True)
class Drawing:
    """All of a figure. A single frame may have marks instead: parts of its pictures with `data-mark`, lit one at a time."""

    words: str
    frames: list[Frame]
    moves: str = ""  # what the slider goes through: "Write", "Position"
    marks: list[str] = field(default_factory=list)  # what is said of each
    first: int = 0  # the mark that is lit at first
