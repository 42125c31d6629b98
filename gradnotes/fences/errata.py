"""The list of what the notes say that misleads today: docs/errata/<part>.yml, read and checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from gradnotes.fences.passages import Passage
from gradnotes.fences.problems import FenceError, close_match

TIERS = {
    "silent": "A wrong result, and no error",
    "breaks": "No longer runs, or warns",
    "limited": "Holds only in part",
}
REQUIRED = ("id", "corrects", "at", "tier", "note", "now", "proof")
KEYS = (*REQUIRED, "instead")
_LISTS = {"corrects": "a list of inventory ids", "at": 'a list of passages, `["2:141-150"]`'}
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one is ten times faster
_ID = re.compile(r"[a-z0-9][a-z0-9.-]*")


@dataclass(frozen=True)
class Erratum:
    """One claim: what the note says, what happens now, and the snippet that proves it."""

    id: str
    corrects: tuple[str, ...]
    at: tuple[Passage, ...]
    tier: str
    note: str
    now: str
    instead: str | None  # the line of code to write today
    proof: str
    part: str  # the name of the file it stands in, without suffix
    path: Path
    line: int


def load(folder: Path) -> dict[str, Erratum]:
    """Every entry of the `*.yml` files in `folder`, by id, in the order of file names and entries.

    Raises FenceError, with file and line in its message, for an entry that is not well-formed.
    """
    entries: dict[str, Erratum] = {}
    for path in sorted(folder.glob("*.yml")):
        for entry in _file(path, path.stat().st_mtime_ns):
            line = entry.line
            if entry.id in entries:
                other = entries[entry.id]
                raise _malformed(path, line, f"id {entry.id!r} is also in {other.path.name}:{other.line}", "rename one")
            entries[entry.id] = entry
    return entries


@lru_cache(maxsize=64)
def _file(path: Path, changed: int) -> tuple[Erratum, ...]:
    """The entries of one file, read again when its time of change is another."""
    return tuple(_erratum(path, line, fields) for line, fields in _entries(path))


def _entries(path: Path) -> list[tuple[int, dict[str, Any]]]:
    text = path.read_text(encoding="utf-8")
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise _malformed(path, line, f"is not YAML: {getattr(error, 'problem', error)}", "quote it") from None
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
        keys = [key.value for key, _ in item.value]
        for key, _ in item.value:
            if keys.count(key.value) > 1:
                raise _malformed(path, key.start_mark.line + 1, f"key {key.value!r} is repeated", "keep one")
            if key.value not in KEYS:
                remedy = close_match(key.value, KEYS, f"use {', '.join(KEYS)}")
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
        instead=fields.get("instead"),
        **words,
        part=path.stem,
        path=path,
        line=line,
    )


def _malformed(path: Path, line: int, message: str, remedy: str) -> FenceError:
    return FenceError(f"errata/{path.name}:{line}: {message}", remedy)
