"""Which page shows which snippet, and in which line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from snippetcheck import pages
from snippetcheck.kinds import KINDS
from snippetcheck.pages import Fence


@dataclass(frozen=True)
class Place:
    """A fence that shows a snippet or a region of it."""

    page: Path
    line: int
    region: str | None

    def shows(self, line: int, regions: Mapping[str, tuple[int, int]]) -> bool:
        """Whether this fence shows that line of the snippet, which has these regions."""
        first, last = regions.get(self.region or "", (1, line))
        return first <= line <= last


def places(pages_dir: Path) -> dict[str, list[Place]]:
    """For the name of each snippet that a page shows: where it is shown."""
    found: dict[str, list[Place]] = {}
    for fence in all_fences(pages_dir):
        if shows_a_snippet(fence):
            place = Place(fence.page, fence.line, fence.keys.get("region"))
            found.setdefault(fence.keys["file"], []).append(place)
    return found


def shows_a_snippet(fence: Fence) -> bool:
    """Whether a fence is of a kind that shows the snippet it names, and names one."""
    return fence.kind in KINDS and KINDS[fence.kind].shows_file and "file" in fence.keys


def all_fences(pages_dir: Path) -> list[Fence]:
    """Every block of code on every page."""
    return [fence for page in pages.pages(pages_dir) for fence in pages.fences(page)]
