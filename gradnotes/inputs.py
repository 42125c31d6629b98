"""Read files of the project, and keep what is derived from them until one of them changes.

A derived value is computed by `Memo.get`. While it is computed, each file that it reads is noted with its signature, and each
other derived value that it takes with its version. In a later generation a value is computed again only if one of these
differs. A value that turns out equal keeps its version, so that what depends on it stays as it is.

Whatever a page shows is read through this module; outside of `Memo.get` a note has no effect.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import yaml

from gradnotes.problems import InputError

Value = TypeVar("Value")
Signature = Hashable  # of a file, None if it is missing; of a folder, that of all that is in it
YAML_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one is ten times faster
YAML_REMEDY = "put a text in quotes if it has a colon or begins with a sign"
_NOT_SOURCE = {"__pycache__", "node_modules"}


def read_text(path: Path, name: str = "") -> str:
    """Return the text of a file and note it; `name` is what messages call it. Raises InputError."""
    note(path)
    name = name or path.name
    try:
        raw = path.read_bytes()
    except IsADirectoryError:
        raise InputError(f"{name}:1: a folder has the name of a file", "rename the folder or remove it") from None
    except FileNotFoundError:
        raise InputError(f"{name}:1: the file is missing", "write it, or take out what names it") from None
    except OSError as error:
        raise InputError(f"{name}:1: cannot be read: {error.strerror}", "check its name and its permissions") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: not UTF-8", "save the file as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_yaml(text: str, name: str, first_line: int = 1) -> Any:
    """Return what a YAML text holds, which begins in `first_line` of the file `name`. Raises InputError."""
    try:
        return yaml.load(text, YAML_LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + (mark.line if mark else 0)
        what = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be parsed"
        raise InputError(f"{name}:{line}: not YAML: {what}", YAML_REMEDY) from None
    except (ValueError, RecursionError) as error:  # a date such as 2026-02-31; thousands of brackets
        raise InputError(f"{name}:{first_line}: not YAML: {error}", YAML_REMEDY) from None


def is_file(path: Path) -> bool:
    """Return whether a file exists, and note the answer."""
    _note(("is a file", path))
    return _is_file(path)


def exists(path: Path) -> bool:
    """Return whether a file or a folder exists, and note the answer."""
    note(path)
    return path.exists()


def note(*paths: Path) -> None:
    """Note that the running computation depends on these files, or on all files below these folders."""
    for path in paths:
        _note(("content", path))


def note_names(folder: Path) -> None:
    """Note that the running computation depends on which files there are below a folder, whatever they hold."""
    _note(("names", folder))


Dependency = tuple[str, Path]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or that holds a null character
        return False


def signature(path: Path) -> Signature:
    """Return what a file looks like without reading it; of a folder, what all files in it do."""
    try:
        status = path.stat()
        return _of_folder(path) if path.is_dir() else (status.st_mtime_ns, status.st_size, status.st_ino)
    except (OSError, ValueError):
        return None


def _of_folder(folder: Path | str) -> Signature:
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name not in _NOT_SOURCE:
                    found.append((entry.name, _of_folder(entry.path)))
            else:
                status = entry.stat(follow_symlinks=entry.is_file())
                found.append((entry.name, (status.st_mtime_ns, status.st_size, status.st_ino)))
    return tuple(sorted(found, key=itemgetter(0)))


def _names(folder: Path) -> tuple[str, ...]:
    found: list[str] = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NOT_SOURCE)
        found += [os.path.relpath(os.path.join(place, name), folder) for name in files]
    return tuple(sorted(found))


_SIGNATURES: dict[str, Callable[[Path], Signature]] = {"is a file": _is_file, "content": signature, "names": _names}


@dataclass
class _Node:
    make: Callable[[], Any]
    value: Any = None
    version: int = 0
    files: dict[Dependency, Signature] = field(default_factory=dict)
    nodes: dict[Hashable, int] = field(default_factory=dict)  # derived values that it took, by name: their versions
    checked: int = 0  # the generation in which it was last known to be current


class _Running(threading.local):
    """The computations of this thread that have begun and not ended, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[tuple[Memo, _Node]] = []


_running = _Running()


def _note(dependency: Dependency) -> None:
    if _running.stack:
        memo, node = _running.stack[-1]
        node.files[dependency] = memo.signature(dependency)


class Memo:
    """Values derived from files, by name."""

    def __init__(self) -> None:
        self.generation = 1
        self._nodes: dict[Hashable, _Node] = {}
        self._signatures: dict[Dependency, Signature] = {}  # of this generation

    def begin(self) -> None:
        """Begin a generation: look at the files again."""
        self.generation += 1
        self._signatures.clear()

    def get(self, name: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of this name; `make` computes it if it is missing or outdated. Do not modify it: it is shared."""
        node = self._nodes.get(name)
        if node is None or not self._is_current(node):
            node = self._compute(name, make)
        if _running.stack:
            _running.stack[-1][1].nodes[name] = node.version
        value: Value = node.value
        return value

    def version(self, name: Hashable) -> int:
        """Return a number that changes with the value of this name; 0 if it was never computed or is outdated."""
        node = self._nodes.get(name)
        return node.version if node is not None and self._is_current(node) else 0

    def files_of(self, name: Hashable) -> set[Path]:
        """Return the files and folders that a value was derived from, also by way of other values."""
        node = self._nodes[name]
        return {path for _, path in node.files}.union(*(self.files_of(other) for other in node.nodes))

    def signature(self, dependency: Dependency) -> Signature:
        """Return what a file or folder looked like when this generation first asked."""
        if dependency not in self._signatures:
            kind, path = dependency
            self._signatures[dependency] = _SIGNATURES[kind](path)
        return self._signatures[dependency]

    def _is_current(self, node: _Node) -> bool:
        if node.checked == self.generation:
            return True
        if any(self.signature(dependency) != before for dependency, before in node.files.items()):
            return False
        for name, version in node.nodes.items():
            other = self._nodes[name]
            if not self._is_current(other):
                try:
                    other = self._compute(name, other.make)
                except Exception:  # whoever asks for it is told
                    return False
            if other.version != version:
                return False
        node.checked = self.generation
        return True

    def _compute(self, name: Hashable, make: Callable[[], Any]) -> _Node:
        node = _Node(make)
        _running.stack.append((self, node))
        try:
            node.value = make()
        except Exception:
            if _running.stack[1:]:  # what the failed one has read decides the one that asked for it
                _running.stack[-2][1].files.update(node.files)
                _running.stack[-2][1].nodes.update(node.nodes)
            raise
        finally:
            _running.stack.pop()
        before = self._nodes.get(name)
        if before is None:
            node.version = 1
        else:
            node.version = before.version + (before.value != node.value)
        node.checked = self.generation
        self._nodes[name] = node
        return node
