"""The headings of the notes, and where each is taught here: docs/headings.md with docs/inventory.yml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml
from snippetcheck.pages import front_matter

from gradnotes.fences.problems import FenceError, close_match
from gradnotes.fences.project import Project

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_HEADING = re.compile(r"^(?P<indent> *)- (?P<name>.*?)(?: - (?P<what>.*?))? \[(?P<count>\d+)\](?::.*)?$")


@dataclass(frozen=True)
class Heading:
    """One heading of a note: how deep, its name, and the inventory ids that begin under it."""

    depth: int
    name: str
    ids: tuple[str, ...]


def headings(note: str, docs: Path) -> list[Heading]:
    """The headings of the note whose file name begins with `note`, in their order.

    Raises FenceError if docs/headings.md has no such note.
    """
    sections = _sections((docs / "headings.md").read_text(encoding="utf-8"))
    matches = [name for name in sections if name.startswith(note)]
    if len(matches) != 1:
        raise FenceError(f"no note {note!r} in headings.md", close_match(note, sections, "name its file"))
    ids = _ids_by_section(docs / "inventory.yml", (docs / "inventory.yml").stat().st_mtime_ns)
    found = []
    for line in sections[matches[0]]:
        match = _HEADING.match(line)
        if match:
            name = match["name"]
            of_section = ids.get((matches[0], name)) or ids.get((matches[0], name.split(" (")[0])) or ()
            found.append(Heading(len(match["indent"]) // 4, name, of_section))
    return found


def pages_of(project: Project) -> dict[str, list[str]]:
    """For each inventory id, the pages that cover it: by a snippet that they show, or in their front matter."""
    return project.once("pages of ideas", lambda: _pages_of(project))


def _pages_of(project: Project) -> dict[str, list[str]]:
    covered: dict[str, list[str]] = {}
    for where in project.pages():
        for name in _covers(project, where):
            covered.setdefault(name, []).append(where)
    for name, where in project.shown().items():
        for covers in project.snippet(name).manifest.covers:
            covered.setdefault(covers, []).append(where)
    return {name: list(dict.fromkeys(found)) for name, found in covered.items()}


def _covers(project: Project, page: str) -> list[str]:
    path = project.docs / page
    text = path.read_text(encoding="utf-8")
    return project.cache.get(("covers", text), lambda: list(map(str, front_matter(path).get("covers") or ())))


def _sections(text: str) -> dict[str, list[str]]:
    """The lines under each `## <file>` of headings.md."""
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.splitlines():
        if line.startswith("## "):
            current = sections.setdefault(line[3:].strip(), [])
        elif current is not None and line.strip():
            current.append(line)
    return sections


@lru_cache(maxsize=4)
def _ids_by_section(path: Path, changed: int) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], list[str]] = {}
    for entry in yaml.load(path.read_text(encoding="utf-8"), _LOADER):
        for file, section in entry["notes"]:
            found.setdefault((file, section), []).append(entry["id"])
    return {key: tuple(ids) for key, ids in found.items()}
