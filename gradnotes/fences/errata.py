"""The list of what the notes say that misleads today: docs/errata/<part>.yml, read and checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from gradnotes import inputs
from gradnotes.fences import chinese
from gradnotes.fences.passages import Passage
from gradnotes.fences.problems import FenceError, close_match

TIERS = {
    "silent": "A wrong result, and no error",
    "breaks": "No longer runs, or warns",
    "limited": "Holds only in part",
}
REQUIRED = ("id", "corrects", "at", "tier", "note", "now", "proof")
KEYS = (*REQUIRED, "instead", "zh")
_LISTS = {"corrects": "a list of inventory ids", "at": 'a list of passages, `["2:141-150"]`'}
_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")


@dataclass(frozen=True)
class Erratum:
    """One claim: what the note says, what happens now, and the snippet that proves it."""

    id: str
    corrects: tuple[str, ...]
    at: tuple[Passage, ...]
    tier: str
    zh: chinese.Chinese
    note: str
    now: str
    instead: str | None  # the line of code to write today
    proof: str
    part: str  # the name of the file it stands in, without suffix
    path: Path
    line: int

    @property
    def source(self) -> str:
        """The file and the line of the entry."""
        return f"errata/{self.path.name}:{self.line}"


def load(folder: Path) -> dict[str, Erratum]:
    """Every entry of the `*.yml` files in `folder`, by id, in the order of file names and entries.

    Raises InputError, with file and line in its message, for an entry that is not well-formed.
    """
    entries: dict[str, Erratum] = {}
    inputs.note_names(folder)
    for path in sorted(folder.glob("*.yml")):
        for entry in _file(inputs.read_text(path, f"errata/{path.name}"), path):
            line = entry.line
            if entry.id in entries:
                other = entries[entry.id]
                raise _malformed(path, line, f"id {entry.id!r} is also in {other.path.name}:{other.line}", "rename one")
            entries[entry.id] = entry
    return entries


@lru_cache(maxsize=64)
def _file(text: str, path: Path) -> tuple[Erratum, ...]:
    return tuple(_erratum(path, line, fields) for line, fields in _entries(text, path))


def _entries(text: str, path: Path) -> list[tuple[int, dict[str, Any]]]:
    inputs.parse_yaml(text, f"errata/{path.name}")  # raises InputError
    node = yaml.compose(text, Loader=inputs.YAML_LOADER)
    if node is None:
        return []
    if not isinstance(node, yaml.SequenceNode):
        raise _malformed(path, 1, "is not a list", "begin each entry with `- id:`")
    loader = yaml.SafeLoader("")
    found = []
    for item in node.value:
        line = item.start_mark.line + 1
        if not isinstance(item, yaml.MappingNode):
            raise _malformed(path, line, "is not an entry", "begin it with `- id:`")
        keys = [str(key.value) for key, _ in item.value]
        for key, _ in item.value:
            if keys.count(str(key.value)) > 1:
                raise _malformed(path, key.start_mark.line + 1, f"key {key.value!r} is repeated", "keep one")
            if key.value not in KEYS:
                remedy = close_match(str(key.value), KEYS, f"use {', '.join(KEYS)}")
                raise _malformed(path, key.start_mark.line + 1, f"unknown key {key.value!r}", remedy)
        found.append((line, loader.construct_mapping(item, deep=True)))
    return found


def _erratum(path: Path, line: int, fields: dict[str, Any]) -> Erratum:
    for key in (*REQUIRED, *(("instead",) if "instead" in fields else ())):
        if not fields.get(key):
            raise _malformed(path, line, f"an entry without {key!r}", f"it needs {', '.join(REQUIRED)}")
        if not isinstance(fields[key], list if key in _LISTS else str):
            raise _malformed(
                path, line, f"{key!r} of {fields['id']} is not right", f"it is {_LISTS.get(key, 'text; quote it')}"
            )
    if not _ID.fullmatch(fields["id"]):
        raise _malformed(path, line, f"id {fields['id']!r} is not kebab-case", "use a-z, 0-9, - and .")
    if fields["tier"] not in TIERS:
        remedy = close_match(fields["tier"], TIERS, f"use {', '.join(TIERS)}")
        raise _malformed(path, line, f"unknown tier {fields['tier']!r}", remedy)
    at = tuple(Passage.read(one, f"errata/{path.name}:{line}") for one in fields["at"])
    words = {key: " ".join(fields[key].split()) for key in ("note", "now", "proof")}
    return Erratum(
        fields["id"],
        tuple(map(str, fields["corrects"])),
        at,
        fields["tier"],
        chinese.read(fields, f"errata/{path.name}:{line}"),
        instead=fields.get("instead"),
        **words,
        part=path.stem,
        path=path,
        line=line,
    )


def _malformed(path: Path, line: int, message: str, remedy: str) -> FenceError:
    return FenceError(f"errata/{path.name}:{line}: {message}", remedy)
