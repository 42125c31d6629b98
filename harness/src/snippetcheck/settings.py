"""Read the settings of a project from `[tool.snippetcheck]` in pyproject.toml. README.md of the harness lists the keys."""

from __future__ import annotations

import contextlib
import difflib
import doctest
import importlib
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from snippetcheck.engines import (
    FORK,
    PYTHON,
    SUBPROCESS,
    Engine,
    Limits,
    code_to_correct,
    limit_problem,
    missing_for_fork,
)
from snippetcheck.examples import SUFFIXES, Reader
from snippetcheck.manifest import DEFAULT_TIMEOUT, LONGEST_TIMEOUT, PRIVATE_VARIABLES
from snippetcheck.snippet import RESERVED, Rules, Snippet, SnippetError, load

_KEYS = (
    *("snippets_dir", "pages_dir", "needs", "engines", "fences", "timeout", "limits", "isolation", "ledger"),
    *("examples", "doctest_options", "doctest_setup"),
)
_RUN_VARIABLES = (*PRIVATE_VARIABLES, "TZ", "PYTHONHASHSEED")  # variables that each run sets
# The rule of a list of names, and the regular expression that each name matches
_MODULES = ("modules, as in package.module", r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_LISTS = {  # keys of an engine whose values are lists
    "preload": _MODULES,
    "path": ("folders", r"[^\0]+"),
    "reseed": ("functions, as in random.seed", r"\w[\w.]*[.:]\w[\w.]*"),
    "sources": _MODULES,
    "distributions": ("packages without versions", r"\w[\w.-]*"),
    "environment": (
        f"variables, but no values and not {', '.join(_RUN_VARIABLES)}",
        rf"(?!({'|'.join(_RUN_VARIABLES)})$)[A-Za-z_]\w*",
    ),
}
_TABLE = re.compile(rb"\[tool\.snippetcheck\b")
CUDA = "cuda"  # a need for an NVIDIA device instead of a module


class SettingsError(Exception):
    """The `[tool.snippetcheck]` table, an option or an argument is invalid. `str(error)` has the message and the remedy."""

    def __init__(self, message: str, remedy: str):
        super().__init__(f"{message}\n    {remedy}")
        self.message, self.remedy = message, remedy


@dataclass(frozen=True)
class Settings:
    """The settings of a project. Its paths are absolute."""

    root: Path
    snippets_dir: Path
    pages_dir: Path
    engines: Mapping[str, Engine]  # by name; the first one is the judge
    needs: tuple[str, ...] = (CUDA,)  # the names that `# needs:` may use
    fences: tuple[str, ...] = ()  # modules that register fence types
    timeout: float = DEFAULT_TIMEOUT  # seconds, for snippets without `# timeout:`
    examples: tuple[str, ...] = ()  # patterns of the files with examples in place; those after `!` are left out
    doctest_options: int = 0  # option flags of doctest, for all `>>>` examples
    doctest_setup: str = ""  # a program that runs before the `>>>` examples of each docstring or page
    is_configured: bool = True  # False: the project has no [tool.snippetcheck], so these are the defaults
    ledger: bool = False  # whether pytest checks the ledger

    @property
    def file(self) -> Path:
        """Return the path of pyproject.toml."""
        return self.root / "pyproject.toml"

    @property
    def cache_dir(self) -> Path:
        """Return the folder of caches, which a project leaves out of version control."""
        return self.root / ".cache"

    @property
    def engine_names(self) -> tuple[str, ...]:
        """Return the names of the engines. The first one is the judge."""
        return tuple(self.engines)

    @property
    def judge(self) -> str:
        """Return the name of the judge, the engine whose output pages show."""
        return self.engine_names[0]

    @property
    def rules(self) -> Rules:
        """Return the rules for the manifests of this project."""
        packages = [name for engine in self.engines.values() for name in engine.distributions]
        packages += [name for name in self.needs if name != CUDA]
        return Rules(self.engine_names, self.needs, tuple(packages), self.timeout)

    def load(self, path: Path, text: str | None = None) -> Snippet:
        """Read a snippet of this project. `text` is the text of the file, if the caller has it. Raises SnippetError if it is malformed."""
        return load(path, self.snippets_dir, self.rules, text)

    def example_files(self) -> list[Path]:
        """Return the files that the setting `examples` names, sorted, without those in the snippets folder."""
        files: set[Path] = set()
        for pattern in self.examples:
            matches = _matching_files(self.root, pattern.removeprefix("!"))
            files = files - matches if pattern.startswith("!") else files | matches
        return sorted(path for path in files if not path.is_relative_to(self.snippets_dir))

    def example_reader(self, root: Path) -> Reader:
        """Return a reader of the examples in files below `root`, with the settings of this project."""
        return Reader(root, self.rules, self.doctest_options, self.doctest_setup)

    def load_all(self, path: Path) -> list[Snippet | SnippetError]:
        """Return the snippets of a file: a single snippet if the file is below the folder of snippets, otherwise its examples.

        For each malformed example or snippet, the list has its SnippetError.
        """
        if not path.parent.resolve().is_relative_to(self.snippets_dir):
            return self.example_reader(self.root).read(path.resolve())
        try:
            return [self.load(path)]
        except SnippetError as error:
            return [error]

    def register_fences(self) -> None:
        """Import the modules that register the project's fence types. Raises SettingsError if an import fails."""
        for name in self.fences:
            try:
                importlib.import_module(name)
            except Exception as error:
                message = f"{self.file}: fences: {name} cannot be imported: {error!r}"
                raise SettingsError(message, code_to_correct(error) or "install it, or correct the name") from None


def load_settings(root: Path | str) -> Settings:
    """Read the settings of the project at `root`. Return the defaults if there is no pyproject.toml or no [tool.snippetcheck] in it.

    Raises SettingsError, with the line in pyproject.toml, if the settings are invalid.
    """
    root = Path(root).resolve()
    file = root / "pyproject.toml"
    data = file.read_bytes() if file.exists() else b""
    try:
        settings = _parse_settings(root, data)
    except SettingsError as error:
        raise SettingsError(f"{file}:{_line_of(error, root, data)}: {error.message}", error.remedy) from None
    if settings.is_configured:
        _check_folder(settings.snippets_dir)
    return settings


def _line_of(error: SettingsError, root: Path, data: bytes) -> int:
    """Return the line that causes an error: the line after the longest beginning of the file that is TOML without the error."""
    lines = data.splitlines(keepends=True)
    for count in reversed(range(len(lines))):
        try:
            _parse_settings(root, b"".join(lines[:count]))
        except SettingsError as other_error:
            if str(other_error) == str(error) or isinstance(other_error.__context__, ValueError):
                continue
        return count + 1
    return 1


def _parse_settings(root: Path, data: bytes) -> Settings:
    values = _parse_toml(data)
    is_configured = values is not None
    table = _require_table("[tool.snippetcheck]", values if is_configured else {}, "tool.snippetcheck", _KEYS)
    limits = _parse_limits(_require_table("limits", table.get("limits", {}), "tool.snippetcheck.limits"))
    common: dict[str, Any] = {"limits": limits, "isolation": _parse_isolation(table.get("isolation"))}
    tables = _require_table("engines", table.get("engines", {}))
    engines = {name: replace(_parse_engine(root, name, values), **common) for name, values in tables.items()}
    snippets = table.get("snippets_dir", "snippets")
    snippets_dir = _parse_folder(root, "snippets_dir", snippets, is_needed="snippets_dir" in table).resolve()
    ledger = table.get("ledger", False)
    _require(isinstance(ledger, bool), "ledger", "true or false", ledger, "write true or false, without quotes")
    settings = Settings(
        root=root,
        snippets_dir=snippets_dir,
        pages_dir=_parse_folder(root, "pages_dir", table.get("pages_dir", "docs"), "pages_dir" in table).resolve(),
        engines=engines or {PYTHON.name: replace(PYTHON, **common)},
        needs=(CUDA, *_parse_names("needs", table.get("needs", []), *_MODULES)),
        fences=_parse_names("fences", table.get("fences", []), *_MODULES),
        timeout=check_timeout("timeout", table.get("timeout", DEFAULT_TIMEOUT)),
        doctest_options=_parse_doctest_options(table.get("doctest_options", [])),
        doctest_setup=_parse_setup(table.get("doctest_setup", "")),
        is_configured=is_configured,
        ledger=ledger,
        # `_line_of` parses each beginning of a file with a mistake, so checks that search folders come last.
        examples=_parse_patterns(root, table.get("examples", [])),
    )
    # The last check, since it depends on two keys: `_line_of` parses a file of which the second is cut off
    _parse_folder(root, "snippets_dir", snippets, is_needed=is_configured and not settings.examples)
    return settings


def _parse_toml(data: bytes) -> Any:
    """Return the value of `tool.snippetcheck` in pyproject.toml; None without it.

    Raises SettingsError if the file is not TOML, or has a table with a misspelt name.
    """
    try:
        tools = tomllib.loads(data.decode()).get("tool", {})
    except ValueError as error:  # not TOML, not UTF-8, or a number with thousands of digits
        raise SettingsError(str(error), "correct the file") from None
    _require_table("tool", tools, "tool.snippetcheck")
    similar = () if "snippetcheck" in tools else difflib.get_close_matches("snippetcheck", tools, cutoff=0.85)
    for name in similar:
        message = f"there is no table [tool.{name}]"
        raise SettingsError(message, "rename it to [tool.snippetcheck], and its sections too")
    return tools.get("snippetcheck")


def find_root(start: Path | str) -> Path:
    """Return the nearest folder at or above `start` whose pyproject.toml has `[tool.snippetcheck]`, else `start`."""
    start = Path(start).resolve()
    return next(filter(is_project, (start, *start.parents)), start)


def is_project(folder: Path) -> bool:
    """Return whether the pyproject.toml of a folder has `[tool.snippetcheck]`."""
    file = folder / "pyproject.toml"
    return file.is_file() and bool(_TABLE.search(file.read_bytes()))


def _require_table(
    name: str, values: Any, section: str = "tool.snippetcheck.engines.NAME", keys: Sequence[str] = ()
) -> dict[str, Any]:
    """Return `values`. Raises SettingsError unless it is a table with keys from `keys`; empty `keys` allow any key."""
    if not isinstance(values, dict):
        message = f"{name} must be a table, got {type(values).__name__}"
        raise SettingsError(message, f"write a section `[{section}]`")
    for key in values:
        if keys and key not in keys:
            raise SettingsError(f"unknown key {key!r} in {name}", f"use one of {', '.join(keys)}")
    return values


def _require(is_valid: object, location: str, rule: str, value: Any, remedy: str) -> None:
    if not is_valid:
        raise SettingsError(f"{location} must be {rule}, got {value!r}", remedy)


def _parse_folder(root: Path, key: str, name: Any, is_needed: bool) -> Path:
    _require(isinstance(name, str) and name, key, "the name of a folder", name, "write a name in quotes")
    folder = root / name
    if is_needed and not os.path.isdir(folder):  # unlike the method, it returns False for a null character too
        raise SettingsError(f"{key}: folder {name!r} does not exist", "create it or correct the name")
    return folder


def _parse_names(location: str, value: Any, rule: str = "names", shape: str = r"[^\0]+") -> tuple[str, ...]:
    _require(isinstance(value, list), location, f"a list of {rule}", value, 'write it in brackets: ["first", "second"]')
    for name in value:
        is_valid = isinstance(name, str) and re.fullmatch(shape, name)
        _require(is_valid, location, f"a list of {rule}", name, "correct or remove this entry")
        if value.count(name) > 1:
            raise SettingsError(f"{location}: {name!r} is repeated", "remove one of the two")
    return tuple(value)


def _parse_patterns(root: Path, value: Any) -> tuple[str, ...]:
    patterns = _parse_names("examples", value)
    for pattern in patterns:
        text = pattern.removeprefix("!")
        if not text.endswith((*SUFFIXES, "*")) or text.startswith("/") or ".." in Path(text).parts:
            message = f"examples: {pattern!r} must be a pattern below the project that ends in a suffix"
            raise SettingsError(message, f"use one of {', '.join(SUFFIXES)}, as in docs/**/*.md")
        if any("**" in part and part != "**" for part in Path(text).parts):
            remedy = "write it alone between slashes, as in docs/**/*.md"
            raise SettingsError(f"examples: {pattern!r}: `**` stands for folders", remedy)
        if text == pattern and not _matching_files(root, pattern):
            raise SettingsError(f"examples: {pattern!r} names no file", "correct or remove it")
    return patterns


def _matching_files(root: Path, pattern: str) -> set[Path]:
    """Return the files below `root` that can have examples and match a pattern, as resolved paths.

    The set is empty for a pattern that no file name can match, such as one that is too long.
    """
    with contextlib.suppress(OSError):  # no file can have this name, for example because it is too long
        return {path.resolve() for path in root.glob(pattern) if path.suffix in SUFFIXES and path.is_file()}
    return set()


def _parse_doctest_options(value: Any) -> int:
    flags = doctest.OPTIONFLAGS_BY_NAME
    names = _parse_names("doctest_options", value, f"options of doctest ({', '.join(flags)})", "|".join(flags))
    return sum(flags[name] for name in names)


def _parse_setup(text: Any) -> str:
    is_valid = isinstance(text, str) and "\0" not in text
    _require(is_valid, "doctest_setup", "a program", text, 'write one in quotes, as in "import numpy as np"')
    try:
        compile(text, "doctest_setup", "exec")
    except SyntaxError as error:
        source = text.split("\n")[(error.lineno or 1) - 1]
        message = f"doctest_setup: line {error.lineno}, {source!r}, is not Python: {error.msg}"
        raise SettingsError(message, "correct the syntax") from None
    return str(text)


def _check_folder(folder: Path) -> None:
    """Raise SettingsError if the snippets folder has a file that pytest would import or would not collect, such as a broken link.

    A file in a folder outside, to which a link leads, would have no snippet name, and pytest would import it.
    """
    for base, names, files in os.walk(folder):
        for path in (Path(base, name) for name in names):
            if path.is_symlink() and not path.resolve().is_relative_to(folder):
                message = f"{path}: is a link to {path.resolve()}, outside the snippets folder"
                raise SettingsError(message, "move that folder into the snippets folder, or remove the link")
        for path in (Path(base, name) for name in files):
            if not path.exists() and not path.name.startswith("."):  # Emacs locks a file by such a link
                raise SettingsError(f"{path}: symbolic link to a missing file", "correct or remove the link")
        for name in set(RESERVED) & set(files):
            message = f"{Path(base, name)}: pytest would import it into its process, without the harness"
            remedy = "no snippet can have this name: rename it, or move it out of the snippets folder"
            raise SettingsError(message, remedy)


def check_timeout(location: str, value: Any) -> float:
    """Return `value` as a float. Raises SettingsError unless it is a positive number up to LONGEST_TIMEOUT."""
    is_valid = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= LONGEST_TIMEOUT
    _require(is_valid, location, "a number of seconds", value, f"use a number from 1 to {LONGEST_TIMEOUT:g}")
    return float(value)


def _parse_engine(root: Path, name: str, values: Any) -> Engine:
    location = f"engine {name!r}"
    if not re.fullmatch(r"[A-Za-z_][\w.-]*", name):
        rule = "must begin with a letter or '_' and consist of letters, digits, '-', '_' and '.'"
        raise SettingsError(f"engine name {rule}, got {name!r}", "rename the engine")
    _require_table(location, values, keys=(*_LISTS, "replace"))
    fields: dict[str, Any] = {"replace": _parse_replacements(f"{location}: replace", values.get("replace", {}))}
    for key, shape in _LISTS.items():
        fields[key] = _parse_names(f"{location}: {key}", values.get(key, []), *shape)
    folders = [_parse_folder(root, f"{location}: path", entry, is_needed=True) for entry in fields["path"]]
    return Engine(name, **{**fields, "path": tuple(map(str, folders))})


def _parse_limits(values: dict[str, Any]) -> Limits:
    for key, value in values.items():
        problem, remedy = limit_problem(key, value)
        if problem:
            raise SettingsError(f"limits: {problem}", remedy)
    return Limits(**values)


def _parse_isolation(value: Any) -> str:
    """Return the setting `isolation`; by default FORK if this Python can fork, else SUBPROCESS.

    Raises SettingsError for any other value, or for FORK if this Python cannot fork.
    """
    missing = missing_for_fork()
    is_valid, remedy = value in (None, FORK, SUBPROCESS), "write one of them, or leave the line out"
    _require(is_valid, "isolation", f'"{FORK}" or "{SUBPROCESS}"', value, remedy)
    if value == FORK and missing:
        message = f"isolation: this Python cannot fork for snippets, since it has no {missing}"
        raise SettingsError(message, "leave the line out")
    return value or (SUBPROCESS if missing else FORK)


def _parse_replacements(location: str, value: Any) -> dict[str, str]:
    is_valid = isinstance(value, dict) and all(
        isinstance(name, str) and re.fullmatch(_MODULES[1], name) and real.isidentifier() and real != name.split(".")[0]
        for real, name in value.items()
    )
    _require(is_valid, location, "a table of names", value, 'write { real = "stand_in" }, the first one without dots')
    return dict(value)
