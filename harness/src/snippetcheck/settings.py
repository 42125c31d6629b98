"""Where a project keeps its snippets and pages, and which engines it has: `[tool.snippets]`.

In pyproject.toml, all of it optional:

    [tool.snippets]
    snippets_dir = "snippets"
    pages_dir = "docs"
    needs = ["tensorboard"]            # modules that a snippet may name as its `# needs:`

    [tool.snippets.limits]             # of the processes of one program, see snippetcheck.limits
    processes = 200

    [tool.snippets.engines.numpy]      # the first engine is the judge: bless asks it
    preload = ["numpy"]
    distributions = ["numpy"]
"""

from __future__ import annotations

import importlib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from snippetcheck.engines import PYTHON, Engine
from snippetcheck.limits import Limits
from snippetcheck.manifest import DEFAULT_TIMEOUT, LONGEST_TIMEOUT
from snippetcheck.snippet import Snippet, load

_KEYS = ("snippets_dir", "pages_dir", "needs", "engines", "fences", "evidence", "timeout", "limits")
CUDA = "cuda"  # a need that is no module: a device of NVIDIA's


class SettingsError(Exception):
    """A `[tool.snippets]` table that is not as it must be."""


@dataclass(frozen=True)
class Settings:
    """The settings of one project; the folders are absolute."""

    root: Path
    snippets_dir: Path
    pages_dir: Path
    engines: Mapping[str, Engine]
    needs: tuple[str, ...] = (CUDA,)  # what `# needs:` may name
    fences: tuple[str, ...] = ()  # modules that register kinds of fences
    evidence: Path | None = None  # the evidence that the project keeps: the times in it make shards alike
    timeout: float = DEFAULT_TIMEOUT  # seconds of a snippet that gives none
    configured: bool = True  # False: the project has no [tool.snippets], so these are the defaults

    @property
    def cache_dir(self) -> Path:
        """Where a run leaves what the next one may use; nothing of it is committed."""
        return self.root / ".cache"

    @property
    def engine_names(self) -> tuple[str, ...]:
        """The names of the engines; the first is the judge."""
        return tuple(self.engines)

    @property
    def judge(self) -> str:
        """The engine whose output the page shows."""
        return self.engine_names[0]

    def load(self, path: Path) -> Snippet:
        """The snippet of a file of this project. Raises SnippetError."""
        return load(path, self.snippets_dir, self.engine_names, self.needs, self.timeout)

    def register_fences(self) -> None:
        """Import what registers the project's kinds of fences. Raises SettingsError."""
        for name in self.fences:
            try:
                importlib.import_module(name)
            except Exception as error:
                what = f"{self.root / 'pyproject.toml'}: fences: {name} cannot be imported: {error!r}"
                raise SettingsError(f"{what}\n    install it, or correct the name") from error


def load_settings(root: Path | str) -> Settings:
    """The settings of the project at `root`. Raises SettingsError with file and remedy."""
    root = Path(root).resolve()
    file = root / "pyproject.toml"
    table: Any = None
    if file.exists():
        try:
            table = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("snippets")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file}: {error}\n    correct the file") from None
    configured = table is not None
    table = _table(file, "[tool.snippets]", table if configured else {})
    for key in table:
        if key not in _KEYS:
            raise SettingsError(f"{file}: unknown key {key!r} in [tool.snippets]\n    use one of {', '.join(_KEYS)}")
    engines = {
        name: _engine(file, name, _table(file, f"engine {name!r}", values))
        for name, values in _table(file, "engines", table.get("engines", {})).items()
    } or {PYTHON.name: PYTHON}
    limits = _limits(file, _table(file, "limits", table.get("limits", {})))
    engines = {name: replace(engine, limits=limits) for name, engine in engines.items()}
    snippets_dir = _folder(file, table, "snippets_dir", "snippets", needed=configured)
    if configured:
        _check_links(snippets_dir)
    return Settings(
        root,
        snippets_dir,
        _folder(file, table, "pages_dir", "docs", needed="pages_dir" in table),
        engines,
        (CUDA, *_modules(file, "needs", table.get("needs", []))),
        _modules(file, "fences", table.get("fences", [])),
        _file(file, table, "evidence"),
        checked_timeout(f"{file}: timeout", table.get("timeout", DEFAULT_TIMEOUT)),
        configured,
    )


def find_root(start: Path | str) -> Path:
    """The nearest folder at or above `start` whose pyproject.toml has `[tool.snippets]`, else `start`."""
    start = Path(start).resolve()
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.exists() and b"[tool.snippets" in file.read_bytes():
            return folder
    return start


def _table(file: Path, what: str, values: Any) -> dict[str, Any]:
    if not isinstance(values, dict):
        raise SettingsError(
            f"{file}: {what} is no table\n    write a section such as `[tool.snippets.engines.name]` and keys under it"
        )
    return values


def _folder(file: Path, table: dict[str, Any], key: str, default: str, needed: bool) -> Path:
    name = table.get(key, default)
    if not isinstance(name, str):
        raise SettingsError(f"{file}: {key} is no text\n    give the name of a folder in quotes")
    folder = (file.parent / name).resolve()
    if needed and not folder.is_dir():
        raise SettingsError(f"{file}: {key} is {name!r}, and there is no such folder\n    make it, or correct the name")
    return folder


def _check_links(folder: Path) -> None:
    """What lies behind a link to a folder elsewhere has no name as a snippet, and pytest would import it."""
    for base, names, _ in os.walk(folder):
        for path in (Path(base, name) for name in names):
            if path.is_symlink() and not path.resolve().is_relative_to(folder):
                what = f"{path}: is a link to {path.resolve()}, out of the folder of the snippets"
                raise SettingsError(f"{what}\n    move that folder here, or remove the link")


def _modules(file: Path, key: str, value: Any) -> tuple[str, ...]:
    names = [part for name in value for part in str(name).split(".")] if isinstance(value, list) else [""]
    if not all(name.isidentifier() for name in names):
        raise SettingsError(f'{file}: {key} is no list of modules\n    write names in brackets: ["one", "two"]')
    return tuple(value)


def _file(file: Path, table: dict[str, Any], key: str) -> Path | None:
    if not isinstance(table.get(key, ""), str):
        raise SettingsError(f"{file}: {key} is no text\n    give the name of a file in quotes")
    return file.parent / table[key] if key in table else None


def checked_timeout(where: str, value: Any) -> float:
    """The seconds that a snippet may take. Raises SettingsError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= LONGEST_TIMEOUT:
        raise SettingsError(f"{where} is {value!r}, and no number of seconds\n    give 1 to {LONGEST_TIMEOUT:g}")
    return float(value)


def _engine(file: Path, name: str, values: dict[str, Any]) -> Engine:
    where = f"{file}: engine {name!r}"
    if not re.fullmatch(r"[A-Za-z_][\w.-]*", name):
        raise SettingsError(f"{where} has no plain name\n    use letters, digits, hyphens and underscores")
    allowed = {field.name for field in fields(Engine)} - {"name", "limits"}
    for key, value in values.items():
        if key not in allowed:
            raise SettingsError(
                f"{file}: unknown key {key!r} of engine {name!r}\n    use one of {', '.join(sorted(allowed))}"
            )
        _check_shape(f"{where}: {key}", key, value)
    converted: dict[str, Any] = {
        key: value if isinstance(value, dict) else tuple(value) for key, value in values.items()
    }
    if "path" in converted:
        converted["path"] = tuple(str(file.parent / entry) for entry in converted["path"])
    return Engine(name, **converted)


def _limits(file: Path, values: dict[str, Any]) -> Limits:
    allowed = [field.name for field in fields(Limits)]
    for key, value in values.items():
        if key not in allowed:
            raise SettingsError(
                f"{file}: unknown key {key!r} in [tool.snippets.limits]\n    use one of {', '.join(allowed)}"
            )
        least = 0 if key == "address_space" else 1
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            what = f"{file}: limits: {key} must be a whole number of at least {least}, got {value!r}"
            raise SettingsError(f"{what}\n    write a number without quotes")
    return Limits(**values)


def _check_shape(where: str, key: str, value: Any) -> None:
    """What each key of an engine holds: a list of names, or a table."""
    if key == "replace":
        if not isinstance(value, dict) or not all(isinstance(name, str) for name in value.values()):
            raise SettingsError(f'{where} is no table of names\n    write {{ real = "stand_in" }}')
        return
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise SettingsError(f'{where} is no list of names\n    write names in brackets: ["one", "two"]')
