"""Where a project keeps its snippets and pages, and which engines it has: `[tool.snippets]`.

In pyproject.toml, all of it optional:

    [tool.snippets]
    snippets_dir = "snippets"
    pages_dir = "docs"

    [tool.snippets.engines.numpy]      # the first engine is the judge: bless asks it
    preload = ["numpy"]
    distributions = ["numpy"]
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from harness.engines import PYTHON, Engine

_KEYS = ("snippets_dir", "pages_dir", "engines")


class SettingsError(Exception):
    """A `[tool.snippets]` table that is not as it must be."""


@dataclass(frozen=True)
class Settings:
    """The settings of one project; the folders are absolute."""

    root: Path
    snippets_dir: Path
    pages_dir: Path
    engines: Mapping[str, Engine]
    configured: bool = True  # False: the project has no [tool.snippets], so these are the defaults

    @property
    def engine_names(self) -> tuple[str, ...]:
        """The names of the engines; the first is the judge."""
        return tuple(self.engines)

    @property
    def judge(self) -> str:
        """The engine whose output the page shows."""
        return self.engine_names[0]


def load_settings(root: Path | str) -> Settings:
    """The settings of the project at `root`. Raises SettingsError with file and remedy."""
    root = Path(root).resolve()
    file = root / "pyproject.toml"
    table: Any = None
    if file.exists():
        try:
            table = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("snippets")
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"{file}: {error}") from None
    configured = table is not None
    table = table or {}
    for key in table:
        if key not in _KEYS:
            raise SettingsError(f"{file}: unknown key {key!r} in [tool.snippets]\n    use one of {', '.join(_KEYS)}")
    engines = {name: _engine(file, name, values) for name, values in table.get("engines", {}).items()} or {
        PYTHON.name: PYTHON
    }
    return Settings(
        root,
        root / table.get("snippets_dir", "snippets"),
        root / table.get("pages_dir", "docs"),
        engines,
        configured,
    )


def find_root(start: Path | str) -> Path:
    """The nearest folder at or above `start` whose pyproject.toml has `[tool.snippets]`, else `start`."""
    start = Path(start).resolve()
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.exists() and "[tool.snippets" in file.read_text(encoding="utf-8"):
            return folder
    return start


def _engine(file: Path, name: str, values: dict[str, Any]) -> Engine:
    allowed = {field.name for field in fields(Engine)} - {"name"}
    for key in values:
        if key not in allowed:
            raise SettingsError(
                f"{file}: unknown key {key!r} of engine {name!r}\n    use one of {', '.join(sorted(allowed))}"
            )
    converted: dict[str, Any] = {
        key: value if isinstance(value, dict) else tuple(value) for key, value in values.items()
    }
    if "path" in converted:
        converted["path"] = tuple(str(file.parent / entry) for entry in converted["path"])
    return Engine(name, **converted)
