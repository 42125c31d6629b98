"""Find the locations of snippets on pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from snippetcheck import pages
from snippetcheck.kinds import FENCE_TYPES
from snippetcheck.pages import Fence


@dataclass(frozen=True)
class Location:
    """A fence that embeds a snippet or a region of it."""

    page: Path
    line: int
    region: str | None

    def shows(self, line: int, regions: Mapping[str, tuple[int, int]]) -> bool:
        """Return whether this fence shows a line of the snippet. `regions` are the regions of the snippet."""
        first, last = regions.get(self.region or "", (1, line))
        return first <= line <= last


def snippet_locations(pages_dir: Path) -> dict[str, list[Location]]:
    """Return the locations of each embedded snippet, by its name."""
    locations_by_name: dict[str, list[Location]] = {}
    for fence in all_fences(pages_dir):
        if embeds_snippet(fence):
            location = Location(fence.page, fence.line, fence.keys.get("region"))
            locations_by_name.setdefault(fence.keys["file"], []).append(location)
    return locations_by_name


def embeds_snippet(fence: Fence) -> bool:
    """Return whether a fence embeds the snippet that its `file:` names."""
    return fence.kind in FENCE_TYPES and FENCE_TYPES[fence.kind].shows_file and "file" in fence.keys


def all_fences(pages_dir: Path) -> list[Fence]:
    """Return the blocks of code on all pages."""
    return [fence for page in pages.pages(pages_dir) for fence in pages.fences(page)]
