"""Read and check the errata, the corrections of the notes: docs/errata/<part>.yml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from gradnotes import inputs
from gradnotes.notes import chinese
from gradnotes.notes.passage import Passage
from gradnotes.problems import FenceError, close_match
from gradnotes.project import Project

FOLDER = "errata"  # below docs/
TIERS = {
    "silent": "A wrong result, and no error",
    "breaks": "Now an error or a warning",
    "limited": "Holds only in part",
}
REQUIRED = ("id", "corrects", "at", "tier", "note", "now", "proof")
KEYS = (*REQUIRED, "instead", "zh")
_LISTS = {"corrects": "a list of inventory ids", "at": 'a list of passages, `["2:141-150"]`'}
_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")


@dataclass(frozen=True)
class Erratum:
    """One correction: the statement of a note, the facts today, and the snippet that proves them."""

    id: str
    corrects: tuple[str, ...]  # ids of ideas in docs/inventory.yml
    at: tuple[Passage, ...]  # the corrected passages of the notes
    tier: str  # a key of TIERS
    zh: chinese.Chinese  # the same texts in Chinese
    note: str  # the statement of the note
    now: str  # the facts today
    instead: str | None  # the line of code to write today
    proof: str  # the name of the snippet
    part: str  # the name of its file, without suffix
    path: Path
    line: int

    @property
    def source(self) -> str:
        """Return the location of the entry, such as "errata/graph.yml:12"."""
        return f"errata/{self.path.name}:{self.line}"


def read_errata(project: Project) -> list[Erratum]:
    """Return all corrections of the notes, in the order of their files.

    Raises:
        InputError: see `load`.
    """
    return project.memoize("errata", lambda: list(load(project.docs / FOLDER).values()))


def load(folder: Path) -> dict[str, Erratum]:
    """Map the id of each entry in the `*.yml` files of `folder` to the entry, in the order of files and entries.

    Raises:
        InputError: a file or an entry is malformed, or an id is repeated. The message begins with file and line.
    """
    entries: dict[str, Erratum] = {}
    inputs.note_names(folder)
    for path in sorted(folder.glob("*.yml")):
        for entry in _parse_file(inputs.read_text(path, f"errata/{path.name}"), path):
            line = entry.line
            if entry.id in entries:
                other = entries[entry.id]
                raise _entry_error(
                    path, line, f"id {entry.id!r} is also in {other.path.name}:{other.line}", "rename one of the two"
                )
            entries[entry.id] = entry
    return entries


@lru_cache(maxsize=64)
def _parse_file(text: str, path: Path) -> tuple[Erratum, ...]:
    return tuple(_build_erratum(path, line, fields) for line, fields in _parse_entries(text, path))


def _parse_entries(text: str, path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the line and the fields of each entry of a file."""
    inputs.parse_yaml(text, f"errata/{path.name}")  # raises InputError
    node = yaml.compose(text, Loader=inputs.YAML_LOADER)
    if node is None:
        return []
    if not isinstance(node, yaml.SequenceNode):
        raise _entry_error(path, 1, "must be a list of entries", "begin each entry with `- id:`")
    loader = yaml.SafeLoader("")
    entries = []
    for item in node.value:
        line = item.start_mark.line + 1
        if not isinstance(item, yaml.MappingNode):
            raise _entry_error(path, line, "an entry must be `key: value` lines", "begin it with `- id:`")
        for key, _ in item.value:
            if key.value not in KEYS:
                remedy = close_match(str(key.value), KEYS)
                raise _entry_error(path, key.start_mark.line + 1, f"unknown key {key.value!r}", remedy)
        entries.append((line, loader.construct_mapping(item, deep=True)))
    return entries


def _build_erratum(path: Path, line: int, fields: dict[str, Any]) -> Erratum:
    """Build an Erratum from the fields of an entry. Raise FenceError if a field is missing or malformed."""
    for key in (*REQUIRED, *(("instead",) if "instead" in fields else ())):
        if not fields.get(key):
            raise _entry_error(path, line, f"the entry has no {key!r}", f"add it; an entry needs {', '.join(REQUIRED)}")
        if not isinstance(fields[key], list if key in _LISTS else str):
            raise _entry_error(
                path,
                line,
                f"{key!r} of {fields['id']} must be {_LISTS.get(key, 'text')}, got {fields[key]!r}",
                f"write {_LISTS.get(key, 'text, in quotes')}",
            )
    if not _ID.fullmatch(fields["id"]):
        raise _entry_error(path, line, f"id {fields['id']!r} is not kebab-case", "use a-z, 0-9, - and .")
    if fields["tier"] not in TIERS:
        remedy = close_match(fields["tier"], TIERS)
        raise _entry_error(path, line, f"unknown tier {fields['tier']!r}", remedy)
    at = tuple(Passage.read(passage, f"errata/{path.name}:{line}") for passage in fields["at"])
    texts = {key: " ".join(fields[key].split()) for key in ("note", "now", "proof")}
    return Erratum(
        fields["id"],
        tuple(map(str, fields["corrects"])),
        at,
        fields["tier"],
        chinese.read(fields, f"errata/{path.name}:{line}"),
        instead=fields.get("instead"),
        **texts,
        part=path.stem,
        path=path,
        line=line,
    )


def _entry_error(path: Path, line: int, message: str, remedy: str) -> FenceError:
    return FenceError(f"errata/{path.name}:{line}: {message}", remedy)
