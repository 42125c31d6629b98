"""Cache runs in files. Each file is named by the key of its run, a checksum of what determines the output.

The key covers:

- the text and path of the snippet, and the settings and the source files of the engine;
- the source of the harness, Python, the processor, and all installed packages with their versions;
- the environment variables that snippets see;
- the source of each module outside the installed packages that the snippet or the engine imports.

A cached run also lists the files that the program read; it is valid while these are unchanged. A run is not cached
if the program started another process, opened a connection or opened an SQLite file.
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
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from snippetcheck import outcome
from snippetcheck.engines import KEPT_ENVIRONMENT, Engine, find
from snippetcheck.outcome import Run, checksum
from snippetcheck.snippet import Snippet

_MAX_ENTRIES = 20_000


class Cache:
    """A folder with one JSON file per run."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._engine_keys: dict[str, str] = {}  # by the name of the engine

    def get(self, snippet: Snippet, engine: Engine) -> Run | None:
        """Return the cached run, or None if the cache has no valid entry."""
        try:
            run = Run.from_json(json.loads(self._file(snippet, engine).read_bytes()))
            if run.reads is None or any(checksum(path) != expected for path, expected in run.reads.items()):
                return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return run

    def put(self, snippet: Snippet, engine: Engine, run: Run) -> None:
        """Write a run to the cache, and ignore disk errors.

        A run is left out if its outcome is neither FINISHED nor RAISED, if it has more statements than the snippet, or if the files
        that the program read are not all known.
        """
        has_ended = run.outcome in (outcome.FINISHED, outcome.RAISED)
        if not has_ended or run.reads is None or len(run.statements) > len(snippet.statements):
            return
        file = self._file(snippet, engine)
        temporary = file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                temporary.write_text(json.dumps(run.to_json()))
                temporary.replace(file)
            finally:
                temporary.unlink(missing_ok=True)

    def prune(self) -> None:
        """Remove the oldest entries until at most `_MAX_ENTRIES` are left. Stop without an error at a disk error."""
        with contextlib.suppress(OSError):
            entries = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(self.folder)]
            for _, path in sorted(entries)[: max(0, len(entries) - _MAX_ENTRIES)]:
                os.unlink(path)

    def key(self, snippet: Snippet, engine: Engine) -> str:
        """Return the cache key of a run of `snippet` on `engine`. The docstring of this module lists what the key covers."""
        if engine.name not in self._engine_keys:
            self._engine_keys[engine.name] = engine_key(engine)
        digest = hashlib.sha256(self._engine_keys[engine.name].encode())
        digest.update(f"\0{snippet.path.resolve()}\0".encode())
        digest.update(snippet.text.encode())
        digest.update(repr(snippet.prompts).encode() if snippet.prompts else b"")
        digest.update(json.dumps(passed_environment(snippet)).encode())
        for name in sorted(snippet.imports - sys.stdlib_module_names):
            digest.update(_local_source(name, engine.path).encode())
        return digest.hexdigest()

    def _file(self, snippet: Snippet, engine: Engine) -> Path:
        return self.folder / f"{self.key(snippet, engine)}.json"


def passed_environment(snippet: Snippet) -> dict[str, str]:
    """Return the environment variables in the manifest, by name.

    A variable without a value in the manifest gets its value in this process, or is left out if it is not set there.
    """
    pairs = [variable.partition("=") for variable in snippet.manifest.environment]
    return {name: value if sign else os.environ[name] for name, sign, value in pairs if sign or name in os.environ}


def engine_key(engine: Engine) -> str:
    """Return the part of the cache key that is common to all snippets on an engine."""
    parts = [
        json.dumps(asdict(engine), sort_keys=True),
        sys.version,
        platform.machine(),
        processor(),
        source_of_harness(),
        "\n".join(installed_packages()),
        *(f"{name}={os.environ.get(name)}" for name in (*KEPT_ENVIRONMENT, *engine.environment)),
    ]
    parts += [_digest(files_of(name, engine.path)) for name in engine.sources]
    module_names = {name.partition(".")[0] for name in (*engine.preload, *engine.replace.values(), *engine.reseed)}
    parts += [_local_source(name, engine.path) for name in sorted(module_names - set(engine.sources))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@functools.cache
def installed_packages() -> tuple[str, ...]:
    """Return the names of the metadata folders of all installed packages, such as `numpy-2.3.5.dist-info`.

    `sys.path` is not used: tests and setuptools add entries while runs are in progress.
    """
    names: set[str] = set()
    for folder in (*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])):
        with contextlib.suppress(OSError):
            names.update(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))
    return tuple(sorted(names))


@functools.cache
def source_of_harness() -> str:
    """Return the checksum of all Python files of this package."""
    return _digest(sorted(Path(__file__).parent.rglob("*.py")))


def processor() -> str:
    """Return the CPU model from /proc/cpuinfo, else from `platform`. torch and NumPy select code paths by the model."""
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.is_file() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _local_source(name: str, path: tuple[str, ...]) -> str:
    """Return the checksum of the files of a module; an empty string for one of an installed package."""
    is_installed = "-packages" in str(getattr(find(name, path), "origin", ""))
    return "" if is_installed else _digest(files_of(name, path))


def source_files(engine: Engine) -> list[Path]:
    """Return the files of the modules in `engine.sources`. Missing modules add no files."""
    return [file for name in engine.sources for file in files_of(name, engine.path)]


def forget_sources() -> None:
    """Clear the caches of module lookups, so that `source_files` finds modules that were created after a lookup."""
    importlib.invalidate_caches()
    find.cache_clear()


def files_of(name: str, path: tuple[str, ...]) -> list[Path]:
    """Return the files of a module or package, including data files of the package; an empty list if there is no such module."""
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
