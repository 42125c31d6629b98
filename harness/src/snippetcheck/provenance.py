"""What decided a result, so that whoever reads it later can say what has changed since.

Evidence holds, under `made_with`, one value for each thing that decided it: the checksum of a source
(`engine`, `harness`, `judge`) or the version of an installed package (`torch`). A file that holds a
table says in `provenance` which files each source was, and which command writes it:

    {"date": "2026-01-31T12:00:00+00:00", "command": "python -m judge",
     "sources": {"engine": ["my_engine"], "judge": ["judge.py"], "harness": ["snippetcheck"]},
     "made_with": {"engine": "...", "judge": "...", "harness": "...", "numpy": "2.4.6"},
     "red": []}

Take it before the run: what is edited while it runs is then seen as changed.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from snippetcheck.cache import files_of
from snippetcheck.engines import Engine
from snippetcheck.evidence import now

HARNESS = "snippetcheck"
# Modules of the harness that no verdict depends on; a new module counts until it is named here.
NO_PART_IN_A_VERDICT = frozenset(
    "__main__ bless evidence github kinds ledger markdown pages places processor progress provenance report shards shown testing watch".split()
)


def of_engine(engine: Engine) -> dict[str, str]:
    """What decides a verdict on `engine`: its source, the harness, the versions of its distributions."""
    files = {name: files_of(name, engine.path) for name in engine.sources}
    means = json.dumps([engine.replace, engine.reseed], sort_keys=True)
    made = {"engine": _digest(files, means), "harness": checksum((HARNESS,), Path())}
    return {**made, **_versions(engine.distributions)}


def paths_of(engine: Engine, root: Path) -> list[str]:
    """Where the source of `engine` lies, relative to `root`: a source for `provenance`."""
    found = [files_of(name, engine.path) for name in engine.sources]
    return [os.path.relpath(os.path.commonpath(files), root) for files in found if files]


def provenance(
    root: Path, command: str, sources: Mapping[str, Sequence[str]], distributions: Iterable[str] = ()
) -> dict[str, Any]:
    """The date, the sources and the versions of a table that `command` is about to make.

    `sources`: for each, files and folders below `root`; the name `snippetcheck` stands for this harness.
    Raises FileNotFoundError if one is not there: a checksum of nothing would never change.
    """
    made = {"date": now(), "command": command, "sources": {name: list(of) for name, of in sources.items()}}
    return {**made, "made_with": _now(root, sources, distributions), "red": []}


def with_imports(root: Path, *names: str) -> list[str]:
    """Files of Python below `root`, and those that they import from there or from beside them: a source for `provenance`."""
    found: list[str] = []
    ahead = list(names)
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.append(name)
            ahead += _imported(root / name, root)
    return sorted(found)


def _imported(file: Path, root: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for module, folder in itertools.product(modules, (root, file.parent)):
            path = folder / (module.replace(".", "/") + ".py")
            if path.is_file():
                yield path.relative_to(root).as_posix()


def table_changes(root: Path, recorded: Mapping[str, Any]) -> list[str]:
    """The names of what has changed since `recorded`, a `provenance`. Raises KeyError or TypeError if it is none."""
    made = recorded["made_with"]
    try:
        return changes(made, _now(root, recorded["sources"], made.keys() - recorded["sources"].keys()))
    except FileNotFoundError:
        return [name for name, of in recorded["sources"].items() if not all(_files(one, root) for one in of)]


def changes(made: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """The names in which two `made_with` differ. A package that is not installed here does not count."""
    return [name for name, value in made.items() if here.get(name, value) != value]


def checksum(names: Iterable[str], root: Path) -> str:
    """The checksum of files and folders below `root`; their names count, where `root` lies does not."""
    found = {name: _files(name, root) for name in names}
    for name, files in found.items():
        if not files:
            raise FileNotFoundError(f"{root / name}: there is no such file\n    correct what is named as a source")
    return _digest(found)


def _now(root: Path, sources: Mapping[str, Sequence[str]], distributions: Iterable[str]) -> dict[str, str]:
    return {**{name: checksum(of, root) for name, of in sources.items()}, **_versions(distributions)}


def _versions(distributions: Iterable[str]) -> dict[str, str]:
    """Without what stands after a `+`: torch for the CPU and for a GPU are one version."""
    found = {}
    for name in sorted(distributions):
        try:
            found[name] = importlib.metadata.version(name).partition("+")[0]
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _files(name: str, root: Path) -> list[Path]:
    if name == HARNESS:
        own = sorted(Path(__file__).parent.rglob("*.py"))
        return [file for file in own if file.stem not in NO_PART_IN_A_VERDICT]
    path = root / name
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def _digest(found: Mapping[str, Sequence[Path]], more: str = "") -> str:
    digest = hashlib.sha256(more.encode())
    for name, files in found.items():
        below = os.path.commonpath(files) if files else ""
        for file in files:
            digest.update(f"\0{name}\0{file.relative_to(below).as_posix()}\0".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
