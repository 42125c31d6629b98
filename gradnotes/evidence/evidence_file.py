"""Read and write evidence files: the verdict of each snippet on each engine, with date and versions.

    {"date": "2026-01-31T12:00:00+00:00", "complete": true,
     "versions": {"python": "3.11.7", "torch": "2.13.0+cpu", "numpy": "2.4.6"},
     "made_with": {"3f1c...": {"engine": "...", "harness": "...", "torch": "2.13.0"}},
     "snippets": {"in-place/errors/modified.py": {
         "sha256": "...", "engines": {"torch": "passed", "reference_impl": "skipped"},
         "seconds": {"torch": 0.011}, "ran": {"torch": "2026-01-31T12:00:00+00:00"},
         "made_with": {"torch": "3f1c...", "reference_impl": "3f1c..."}}}}

A verdict is `passed`, `failed` or `skipped`; a skipped one has no `seconds`, the duration of the run, and no `ran`. `ran` is the date on which the program ran; it is
older than `date` if a cached run was compared again. `complete` is true if each snippet passed or
failed on each of its engines. `made_with` has the results of
`provenance.fingerprint_engine`, each under a short hash; the entry of a snippet has only the hash.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snippetcheck.report import python_command
from snippetcheck.source import display_path

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
_BY_ENGINE = ("engines", "seconds", "ran", "made_with")  # the keys of an entry with one value per engine


class EvidenceError(Exception):
    """An evidence file cannot be read or written."""


@dataclass
class Evidence:
    """The verdicts of one test run. The module's docstring describes the attributes."""

    date: str = ""
    complete: bool = False
    versions: dict[str, str] = field(default_factory=dict)
    made_with: dict[str, dict[str, str]] = field(default_factory=dict)
    snippets: dict[str, dict[str, Any]] = field(default_factory=dict)

    def note(
        self, name: str, engine: str, verdict: str, sha256: str, seconds: float, ran: str, made_with: Mapping[str, str]
    ) -> None:
        """Add the verdict of snippet `name` on one engine.

        `sha256` is the checksum of the snippet, `ran` the date of its run, `made_with` the fingerprint of the engine.
        A skipped verdict has no `seconds` and no `ran`. If `sha256` has changed, the verdicts on other engines are removed.
        """
        entry = self.snippets.setdefault(name, _entry(sha256))
        if entry["sha256"] != sha256:
            entry.update(_entry(sha256))
        entry["engines"][engine] = verdict
        fingerprint_hash = hashlib.sha256(json.dumps(made_with, sort_keys=True).encode()).hexdigest()[:12]
        self.made_with[fingerprint_hash] = dict(made_with)
        entry["made_with"][engine] = fingerprint_hash
        if verdict != SKIPPED:
            entry["seconds"][engine] = round(seconds, 4)
            entry["ran"][engine] = ran

    def made_with_of(self, name: str, engine: str) -> dict[str, str]:
        """Return the fingerprint recorded with the verdict of snippet `name` on `engine`, or {} if there is none."""
        return self.made_with.get(self.snippets[name]["made_with"].get(engine, ""), {})

    def write(self, path: Path) -> None:
        """Replace the file at `path` atomically. If this fails, keep the old file and raise EvidenceError."""
        values = {
            "date": self.date,
            "complete": self.complete,
            "versions": dict(sorted(self.versions.items())),
            "made_with": dict(sorted(self.made_with.items())),
            "snippets": dict(sorted(self.snippets.items())),
        }
        write_json(path, values)


def _entry(sha256: str) -> dict[str, Any]:
    return {"sha256": sha256, **{key: {} for key in _BY_ENGINE}}


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Replace or create a JSON file atomically, with its folder. If this fails, keep the old file and raise EvidenceError."""
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
            f"{display_path(path)}: cannot be written: {error.strerror}\n    check its permissions; the old file is unchanged"
        ) from None


def read(path: Path) -> Evidence:
    """Read an evidence file. If it cannot be read or is malformed, raise EvidenceError."""
    try:
        values = {"made_with": {}, **json.loads(path.read_text(encoding="utf-8"))}  # older files have no `made_with`
        snippets = {
            name: _entry(entry["sha256"])
            | {key: entry[key] for key in _BY_ENGINE if key != "made_with" or key in entry}
            for name, entry in values["snippets"].items()
        }
        versions, made_with = dict(values["versions"]), dict(values["made_with"])
        return Evidence(values["date"], values["complete"], versions, made_with, snippets)
    except OSError as error:
        raise EvidenceError(
            f"{display_path(path)}: cannot be read: {error.strerror}\n    check the file name"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        command = python_command("-m", "pytest", "--snippet-evidence", display_path(path))
        message = f"{display_path(path)}: not an evidence file: {error!r}"
        raise EvidenceError(f"{message}\n    create it: {command}") from None
