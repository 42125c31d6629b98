"""Record the sources and versions on which a result depends, and detect which of them have changed.

Evidence has, under `made_with`, one value per dependency: the checksum of a source (`engine`, `harness`,
`judge`) or the version of an installed package (`torch`). A file with a table lists in `provenance` the
files of each source and the command that writes the table:

    {"date": "2026-01-31T12:00:00+00:00", "command": "python -m judge",
     "sources": {"engine": ["my_engine"], "judge": ["judge.py"], "harness": ["snippetcheck"]},
     "made_with": {"engine": "...", "judge": "...", "harness": "...", "numpy": "2.4.6"},
     "red": []}

`red` lists the failures that the table reports, for example "one.py on torch".

Call `describe_sources` before the run, so that an edit during the run counts as a change.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import snippetcheck
from snippetcheck.cache import files_of
from snippetcheck.engines import Engine

HARNESS = "snippetcheck"
# Modules of the harness on which no verdict depends.
NOT_FINGERPRINTED = frozenset("__main__ bless fence_types ledger markdown pages report rst testing watch".split())


def timestamp() -> str:
    """Return the current date in the format of evidence files."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def fingerprint_engine(engine: Engine) -> dict[str, str]:
    """Return what a verdict on `engine` depends on: checksums of "engine" and "harness", versions by package name."""
    files = {name: files_of(name, engine.path) for name in engine.sources}
    settings = json.dumps([engine.replace, engine.reseed], sort_keys=True)
    return {
        "engine": digest_files(files, settings),
        **fingerprint_sources(Path(), {"harness": (HARNESS,)}, engine.distributions),
    }


def engine_source_paths(engine: Engine, root: Path) -> list[str]:
    """Return the source paths of `engine`, relative to `root`, for the argument `sources` of `describe_sources`."""
    files_by_source = [files_of(name, engine.path) for name in engine.sources]
    return [os.path.relpath(os.path.commonpath(files), root) for files in files_by_source if files]


def describe_sources(
    root: Path, command: str, sources: Mapping[str, Sequence[str]], distributions: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the `provenance` of the table that `command` writes: the date, the sources, their checksums, and versions.

    Args:
        root: the folder of the project
        command: the command that writes the table
        sources: the files and folders of each source, relative to `root`; `snippetcheck` stands for the harness
        distributions: the packages whose versions are recorded, if they are installed

    Raises:
        FileNotFoundError: a file of `sources` is missing, or a folder has no files, so that changes would go unnoticed.
    """
    description = {
        "date": timestamp(),
        "command": command,
        "sources": {name: list(paths) for name, paths in sources.items()},
    }
    return {**description, "made_with": fingerprint_sources(root, sources, distributions), "red": []}


def with_imports(root: Path, *names: str) -> list[str]:
    """Return the Python files `names` and all files below `root` that they import, directly or indirectly.

    The result is for the argument `sources` of `describe_sources`. Modules are looked up in `root` and in the folder of
    the importing file. The `__init__.py` of a package is not included.
    """
    files: list[str] = []
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in files:
            files.append(name)
            pending += _imported_files(root / name, root)
    return sorted(files)


def _imported_files(file: Path, root: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for module, folder in itertools.product(modules, (root, file.parent)):
            path = folder / (module.replace(".", "/") + ".py")
            if path.is_file():
                yield path.relative_to(root).as_posix()


def table_changes(root: Path, recorded: Mapping[str, Any]) -> list[str]:
    """Return the names of the sources and packages that have changed since `recorded`, a result of `describe_sources`.

    If a source file is missing, only the sources that lack files are returned.

    Raises:
        KeyError, TypeError: `recorded` is malformed.
    """
    fingerprint = recorded["made_with"]
    try:
        return changed_names(
            fingerprint,
            fingerprint_sources(root, recorded["sources"], fingerprint.keys() - recorded["sources"].keys()),
        )
    except FileNotFoundError:
        return [name for name, paths in recorded["sources"].items() if not all(_files(path, root) for path in paths)]


def changed_names(recorded: Mapping[str, str], current: Mapping[str, str]) -> list[str]:
    """Return the names in `recorded` whose values in `current` differ. A name that `current` lacks is ignored."""
    return [name for name, value in recorded.items() if current.get(name, value) != value]


def checksum(names: Iterable[str], root: Path) -> str:
    """Return the checksum of the files and folders `names` below `root`: names and contents of all their files.

    The name `snippetcheck` stands for the modules of the harness on which verdicts depend.

    Raises:
        FileNotFoundError: a file does not exist, or a folder has no files.
    """
    files_by_name = {name: _files(name, root) for name in names}
    for name, files in files_by_name.items():
        if not files:
            raise FileNotFoundError(f"{root / name}: no such file\n    correct the name of the source")
    return digest_files(files_by_name)


def fingerprint_sources(
    root: Path, sources: Mapping[str, Sequence[str]], distributions: Iterable[str]
) -> dict[str, str]:
    """Return the checksum of each source and the version of each installed package. The arguments are those of `describe_sources`.

    Raises:
        FileNotFoundError: a file of `sources` does not exist, or a folder has no files.
    """
    return {**{name: checksum(paths, root) for name, paths in sources.items()}, **_versions(distributions)}


def _versions(distributions: Iterable[str]) -> dict[str, str]:
    """Map each installed package to its version, without the part after `+`: torch `2.13.0+cpu` -> `2.13.0`."""
    versions = {}
    for name in sorted(distributions):
        try:
            versions[name] = importlib.metadata.version(name).partition("+")[0]
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions


def _files(name: str, root: Path) -> list[Path]:
    if name == HARNESS:
        modules = sorted(Path(snippetcheck.__file__).parent.rglob("*.py"))
        return [file for file in modules if file.stem not in NOT_FINGERPRINTED]
    path = root / name
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def digest_files(files_by_name: Mapping[str, Sequence[Path]], settings: str = "") -> str:
    """Return the checksum of `settings`, of the names, and of the files of each name.

    The contents of the files count, and their paths below the common folder of the files of a name.
    """
    digest = hashlib.sha256(settings.encode())
    for name, files in files_by_name.items():
        base = os.path.commonpath(files) if files else ""
        for file in files:
            digest.update(f"\0{name}\0{file.relative_to(base).as_posix()}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
