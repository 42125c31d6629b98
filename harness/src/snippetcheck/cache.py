"""Runs that need not be made again, kept under a key of everything that decides what they print.

The key holds the snippet's text and path, the engine's settings and source, the source of the
harness, Python, the processor, the names and versions of all installed packages, what snippets see
of the environment, and the source of each module that the snippet or the engine imports from
elsewhere than the installed packages. With the run its reads are kept: it is used only while each
file that the program opened is the same. A run that started other programs, or that asked another
machine, is not kept.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import json
import os
import platform
import site
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from snippetcheck import outcome
from snippetcheck.engines import KEPT_ENVIRONMENT, Engine, find
from snippetcheck.outcome import Run, checksum
from snippetcheck.processor import processor
from snippetcheck.snippet import Snippet

_MOST_ENTRIES = 20_000


class Cache:
    """A folder of runs, one file each. Only runs that came to their end are kept."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.hits = 0
        self._engines: dict[str, str] = {}

    def get(self, snippet: Snippet, engine: Engine) -> tuple[Run, str] | None:
        """The kept run and the date on which it was made, if nothing that decides it has changed."""
        try:
            values = json.loads(self._file(snippet, engine).read_bytes())
            run, date = Run.from_json(values["run"]), str(values["date"])
            if run.reads is None or any(checksum(path) != known for path, known in run.reads.items()):
                return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        self.hits += 1
        return run, date

    def put(self, snippet: Snippet, engine: Engine, run: Run, date: str) -> None:
        """Keep a run, unless it cannot be that of this snippet. A full disk costs the entry, not the run."""
        if run.outcome not in (outcome.FINISHED, outcome.RAISED) or run.reads is None:
            return
        if len(run.statements) > len(snippet.statements):
            return
        file = self._file(snippet, engine)
        name = None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder)
            with os.fdopen(handle, "w") as stream:
                json.dump({"date": date, "run": run.to_json()}, stream)
            os.replace(name, file)
        except OSError:
            if name:
                with contextlib.suppress(OSError):
                    os.unlink(name)

    def prune(self) -> None:
        """Drop the oldest entries of an overgrown folder."""
        with contextlib.suppress(OSError):
            entries = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(self.folder)]
            for _, path in sorted(entries)[: max(0, len(entries) - _MOST_ENTRIES)]:
                os.unlink(path)

    def key(self, snippet: Snippet, engine: Engine) -> str:
        """The checksum of everything that decides what `snippet` prints on `engine`."""
        digest = hashlib.sha256(self.engine_key(engine).encode())
        digest.update(f"\0{snippet.path.resolve()}\0".encode())
        digest.update(snippet.text.encode())
        for name in sorted(snippet.imports - sys.stdlib_module_names):
            digest.update(_local_source(name, engine.path).encode())
        return digest.hexdigest()

    def engine_key(self, engine: Engine) -> str:
        """`engine_key`, as it was when this cache was first asked for it."""
        if engine.name not in self._engines:
            self._engines[engine.name] = engine_key(engine)
        return self._engines[engine.name]

    def _file(self, snippet: Snippet, engine: Engine) -> Path:
        return self.folder / f"{self.key(snippet, engine)}.json"


def engine_key(engine: Engine) -> str:
    """The part of the key that all snippets on an engine share."""
    parts = [
        json.dumps(asdict(engine), sort_keys=True),
        sys.version,
        platform.machine(),
        processor(),
        source_of_harness(),
        "\n".join(installed()),
        *(f"{name}={os.environ.get(name)}" for name in (*KEPT_ENVIRONMENT, *engine.environment)),
    ]
    parts += [_source(name, engine.path) for name in engine.sources]
    imported = {name.partition(".")[0] for name in (*engine.preload, *engine.replace.values(), *engine.reseed)}
    parts += [_local_source(name, engine.path) for name in sorted(imported - set(engine.sources))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@functools.cache
def installed() -> tuple[str, ...]:
    """The names and versions of all packages that a server finds, as their metadata folders are called.

    Not of those on the `sys.path` of this process: other tests add to it, and setuptools its own copies, while runs go on.
    """
    names: set[str] = set()
    for folder in (*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])):
        with contextlib.suppress(OSError):
            names.update(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))
    return tuple(sorted(names))


@functools.cache
def source_of_harness() -> str:
    """Return the checksum of this package, of which all files count."""
    return _digest(sorted(Path(__file__).parent.rglob("*.py")))


def _local_source(name: str, path: tuple[str, ...]) -> str:
    """The checksum of a module that is no installed package; empty for one that is."""
    spec = find(name, path)
    if spec is None or "-packages" in str(spec.origin or ""):
        return ""
    return _source(name, path)


def source_files(engine: Engine) -> list[Path]:
    """The files of the engine's own source."""
    return [file for name in engine.sources for file in files_of(name, engine.path)]


def forget_sources() -> None:
    """Look for modules anew that were not there."""
    importlib.invalidate_caches()
    find.cache_clear()


def _source(name: str, path: tuple[str, ...]) -> str:
    return _digest(files_of(name, path)) if find(name, path) else f"{name} is missing"


def files_of(name: str, path: tuple[str, ...]) -> list[Path]:
    """The files of a module or package, its data included; none if there is no such module."""
    spec = find(name, path)
    if spec is None:
        return []
    files: list[Path] = []
    for folder in spec.submodule_search_locations or ():
        files += (file for file in Path(folder).rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    if spec.origin and not files:
        files = [Path(spec.origin)]
    return sorted(files)


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        with contextlib.suppress(OSError):
            digest.update(f"\0{file}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
