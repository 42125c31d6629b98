"""Read, write and merge evidence files: the verdict, versions and date of each run.

    {"date": "2026-01-31T12:00:00+00:00", "complete": true, "shard": null,
     "versions": {"python": "3.11.7", "torch": "2.13.0+cpu", "numpy": "2.4.6"},
     "made_with": {"3f1c...": {"engine": "...", "harness": "...", "torch": "2.13.0"}},
     "snippets": {"in-place/errors/modified.py": {
         "sha256": "...", "engines": {"torch": "passed", "reference_impl": "failed"},
         "seconds": {"torch": 0.011}, "ran": {"torch": "2026-01-31T12:00:00+00:00"},
         "made_with": {"torch": "3f1c..."}}}}

A verdict is `passed`, `failed` or `skipped`. `ran` is the date on which the program ran; it is
older than `date` if a cached run was compared again. `made_with` is the result of
`snippetcheck.provenance.fingerprint_engine`, under a name that the snippets of one run share.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from snippetcheck.shell import python_command
from snippetcheck.source import display_path

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
_BY_ENGINE = ("engines", "seconds", "ran", "made_with")  # the keys of an entry with one value per engine


class EvidenceError(Exception):
    """An evidence file that cannot be read, or shards that do not belong together."""


@dataclass
class Evidence:
    """The verdicts of one run, or of several shards of one run."""

    date: str = ""
    complete: bool = False
    shard: str | None = None
    versions: dict[str, str] = field(default_factory=dict)
    made_with: dict[str, dict[str, str]] = field(default_factory=dict)
    snippets: dict[str, dict[str, Any]] = field(default_factory=dict)

    def note(
        self, name: str, engine: str, verdict: str, sha256: str, seconds: float, ran: str, made_with: Mapping[str, str]
    ) -> None:
        """Add the verdict of one snippet on one engine, and its fingerprint."""
        entry = self.snippets.setdefault(name, _entry(sha256))
        if entry["sha256"] != sha256:
            entry.update(_entry(sha256))
        entry["engines"][engine] = verdict
        shared = hashlib.sha256(json.dumps(made_with, sort_keys=True).encode()).hexdigest()[:12]
        self.made_with[shared] = dict(made_with)
        entry["made_with"][engine] = shared
        if verdict != SKIPPED:
            entry["seconds"][engine] = round(seconds, 4)
            entry["ran"][engine] = ran

    def made_with_of(self, name: str, engine: str) -> dict[str, str]:
        """Return the fingerprint of a verdict; empty if it is not recorded."""
        return self.made_with.get(self.snippets[name]["made_with"].get(engine, ""), {})

    def seconds(self) -> dict[tuple[str, str], float]:
        """Return the seconds that each snippet took on each engine."""
        return {
            (name, engine): float(seconds)
            for name, entry in self.snippets.items()
            for engine, seconds in entry.get("seconds", {}).items()
        }

    def write(self, path: Path) -> None:
        """Replace the file atomically. Raises EvidenceError, for example if the disk is full; the old file stays."""
        values = {
            "date": self.date,
            "complete": self.complete,
            "shard": self.shard,
            "versions": dict(sorted(self.versions.items())),
            "made_with": dict(sorted(self.made_with.items())),
            "snippets": dict(sorted(self.snippets.items())),
        }
        write_json(path, values)


def _entry(sha256: str) -> dict[str, Any]:
    return {"sha256": sha256, **{key: {} for key in _BY_ENGINE}}


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Replace a JSON file atomically. Raises EvidenceError; the old file then stays."""
    name = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(values, file, indent=1)
            file.write("\n")
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        if name:
            with contextlib.suppress(OSError):
                os.unlink(name)
        raise EvidenceError(
            f"{display_path(path)}: cannot be written: {error.strerror}\n    the old one stays"
        ) from None


def _not_evidence(path: Path, reason: str = "") -> EvidenceError:
    command = python_command("-m", "pytest", "--snippet-evidence", display_path(path))
    return EvidenceError(f"{display_path(path)}: not an evidence file{reason}\n    create it: {command}")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object from a file. Raises EvidenceError."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EvidenceError(
            f"{display_path(path)}: cannot be read: {error.strerror}\n    check the file name"
        ) from None
    except ValueError as error:
        raise _not_evidence(path, f": {error!r}") from None
    if not isinstance(values, dict):
        raise _not_evidence(path)
    return values


def timestamp() -> str:
    """Return the current date in the format of evidence files."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read(path: Path) -> Evidence:
    """Read an evidence file. Raises EvidenceError."""
    values = {"made_with": {}, **read_json(path)}  # files of earlier versions have no `made_with`
    try:
        snippets = {
            name: _entry(entry["sha256"])
            | {key: entry[key] for key in _BY_ENGINE if key != "made_with" or key in entry}
            for name, entry in values["snippets"].items()
        }
        versions, made_with = dict(values["versions"]), dict(values["made_with"])
        return Evidence(values["date"], values["complete"], values["shard"], versions, made_with, snippets)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _not_evidence(path, f": {error!r}") from None


def merge(shards: Mapping[str, Evidence]) -> Evidence:
    """Merge the evidence of shards, given by file name.

    Raises EvidenceError if versions or texts of snippets differ, or if two shards have different verdicts on a run.
    """
    parts = list(shards.items())
    if not parts:
        raise EvidenceError("no evidence files")
    merged = Evidence(versions=dict(parts[0][1].versions))
    numbers: set[str] = set()
    for name, part in parts:
        if part.versions != merged.versions:
            raise EvidenceError(
                f"{name}: versions differ from the first file: got {part.versions}, expected {merged.versions}"
            )
        if part.shard:
            numbers.add(part.shard)
        for snippet, entry in part.snippets.items():
            merged_entry = merged.snippets.setdefault(snippet, _entry(entry["sha256"]))
            if merged_entry["sha256"] != entry["sha256"]:
                raise EvidenceError(f"{name}: the text of {snippet} differs\n    run all shards of one commit")
            for engine, verdict in entry["engines"].items():
                if merged_entry["engines"].get(engine, verdict) != verdict:
                    message = f"{snippet} on {engine} has two verdicts: {verdict} and {merged_entry['engines'][engine]}"
                    raise EvidenceError(f"{name}: {message}\n    merge each shard of one run once")
            for key in _BY_ENGINE:
                merged_entry[key].update(entry[key])
        merged.made_with.update(part.made_with)
    merged.date = min(part.date for _, part in parts)
    merged.complete = all(part.complete for _, part in parts) and _has_every_shard(numbers)
    return merged


def _has_every_shard(numbers: Iterable[str]) -> bool:
    """Return whether these are all shards from 1/n to n/n, or none."""
    shards = set(numbers)
    if not shards:
        return True
    count = {number.partition("/")[2] for number in shards}
    return len(count) == 1 and shards == {f"{i}/{n}" for n in count for i in range(1, int(n) + 1)}
