"""Read files of the project, and cache values derived from files until a file changes.

`Memo.get` computes a derived value. During the computation, it records the dependencies of the value: the signature of
each file that is read, and the version of each other derived value that is used. `Memo.begin` starts a new generation,
in which a value is computed again only if a dependency has changed. If the new result is equal, the value keeps its
version, and the values that depend on it stay valid.

All files that a page depends on are read with this module. Outside `Memo.get`, reads are not recorded. Below, "record"
means: add to the dependencies of the value that is being computed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import yaml

from gradnotes.problems import InputError

Value = TypeVar("Value")
Signature = Hashable  # changes with the content of a file; None for a missing file
YAML_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the loader in C is ten times faster
YAML_REMEDY = "quote a text that has a colon or begins with a special character, and indent keys alike, with blanks"
_NOT_SOURCE = {"__pycache__", "node_modules"}  # folders that are ignored below another folder


def read_text(path: Path, name: str = "") -> str:
    """Return the text of a file, and record the file as a dependency of the value that is being computed.

    `name` is the name of the file in error messages; by default its name without the folder.

    Raises:
        InputError: the file cannot be read or is not UTF-8.
    """
    note(path)
    name = name or path.name
    try:
        raw = path.read_bytes()
    except IsADirectoryError:
        raise InputError(f"{name}:1: must be a file, got a folder", "rename the folder or remove it") from None
    except FileNotFoundError:
        raise InputError(f"{name}:1: the file is missing", "create it, or remove the reference to it") from None
    except OSError as error:
        raise InputError(f"{name}:1: cannot be read: {error.strerror}", "check its name and its permissions") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: not UTF-8", "save the file as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _RepeatedKey(Exception):
    """A mapping has a key twice. The arguments are the key, its second line and its first line, counted from 0."""


class _Loader(YAML_LOADER):  # type: ignore[misc, valid-type]
    """A YAML loader that raises _RepeatedKey for a repeated key. YAML itself would keep the last value."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        lines: dict[str, int] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in lines:
                    raise _RepeatedKey(key.value, key.start_mark.line, lines[key.value])
                lines[key.value] = key.start_mark.line
        return super().construct_mapping(node, deep)


def parse_yaml(text: str, name: str, first_line: int = 1) -> Any:
    """Parse a YAML text that begins in `first_line` of the file `name`.

    Raises:
        InputError: the text is not YAML, or a mapping has a key twice.
    """
    try:
        return yaml.load(text, _Loader)
    except _RepeatedKey as error:
        key, line, earlier_line = error.args
        message = f"{name}:{first_line + line}: key {key!r} is repeated, it is also in line {first_line + earlier_line}"
        raise InputError(message, "remove one of the two") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + (mark.line if mark else 0)
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be parsed"
        raise InputError(f"{name}:{line}: not YAML: {reason}", YAML_REMEDY) from None
    except (ValueError, RecursionError) as error:  # a date such as 2026-02-31; thousands of brackets
        raise InputError(f"{name}:{first_line}: not YAML: {error}", YAML_REMEDY) from None


def is_file(path: Path) -> bool:
    """Return whether `path` is a file. Record the answer, not the content, as a dependency of the value being computed."""
    answer = _note(("is a file", path))
    return _is_file(path) if answer is None else bool(answer)


def exists(path: Path) -> bool:
    """Return whether a file or a folder exists, and record its content as a dependency of the value being computed."""
    note(path)
    return path.exists()


def note(*paths: Path) -> None:
    """Record the content of files, and of all files below folders, as dependencies of the value being computed."""
    for path in paths:
        _note(("content", path))


def note_names(folder: Path) -> None:
    """Record the names of all files below a folder, not their contents, as a dependency of the value being computed."""
    _note(("names", folder))


Dependency = tuple[str, Path]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or that holds a null character
        return False


def signature(path: Path) -> Signature:
    """Return a value that changes with a file, or with any file below a folder; None if `path` does not exist.

    The value is (modification time in ns, size, inode) of a file, and a tuple of (name, signature) pairs of a folder.
    Folders in _NOT_SOURCE below it are ignored.
    """
    try:
        status = path.stat()
        return _folder_signature(path) if path.is_dir() else (status.st_mtime_ns, status.st_size, status.st_ino)
    except (OSError, ValueError):
        return None


def _folder_signature(folder: Path | str) -> Signature:
    signatures = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name not in _NOT_SOURCE:
                    signatures.append((entry.name, _folder_signature(entry.path)))
            else:
                status = entry.stat(follow_symlinks=entry.is_file())
                signatures.append((entry.name, (status.st_mtime_ns, status.st_size, status.st_ino)))
    return tuple(sorted(signatures, key=itemgetter(0)))


def _names(folder: Path) -> tuple[str, ...]:
    names: list[str] = []
    for folder_path, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NOT_SOURCE)
        names += [os.path.relpath(os.path.join(folder_path, name), folder) for name in files]
    return tuple(sorted(names))


_SIGNATURES: dict[str, Callable[[Path], Signature]] = {"is a file": _is_file, "content": signature, "names": _names}


@dataclass
class _Node:
    """A derived value, with the function that computes it and its dependencies."""

    make: Callable[[], Any]
    value: Any = None
    version: int = 0
    files: dict[Dependency, Signature] = field(default_factory=dict)
    # name of each derived value that `make` used -> its version
    nodes: dict[Hashable, int] = field(default_factory=dict)
    checked_generation: int = 0  # the last generation in which the value was known to be up to date


class _Computations(threading.local):
    """The unfinished computations of this thread, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[tuple[Memo, _Node]] = []


_computations = _Computations()


def _note(dependency: Dependency) -> Signature:
    """Record a dependency of the innermost running computation, and return its signature.

    Outside any computation, record nothing and return None.
    """
    if not _computations.stack:
        return None
    memo, node = _computations.stack[-1]
    node.files[dependency] = memo.signature(dependency)
    return node.files[dependency]


class Memo:
    """A cache of values derived from files, by name. It computes a value again when one of its files has changed."""

    def __init__(self) -> None:
        self.generation = 1
        self._nodes: dict[Hashable, _Node] = {}
        self._signatures: dict[Dependency, Signature] = {}  # of this generation

    def begin(self) -> None:
        """Start a new generation: from now on, each file is examined once more before a value is reused."""
        self.generation += 1
        self._signatures.clear()

    def get(self, name: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value `name`; call `make` if it is missing or outdated. Do not modify it: it is shared.

        An error that `make` raises is passed on and not cached.
        """
        node = self._nodes.get(name)
        if node is None or not self._is_current(node):
            node = self._compute(name, make)
        self._note_use({}, {name: node.version})
        value: Value = node.value
        return value

    def version(self, name: Hashable) -> int:
        """Return the version of a value: a number that increases when the value changes; 0 if it is missing or outdated."""
        node = self._nodes.get(name)
        return node.version if node is not None and self._is_current(node) else 0

    def files_of(self, name: Hashable) -> set[Path]:
        """Return the files and folders from which a cached value was derived, directly or through other values."""
        node = self._nodes[name]
        return {path for _, path in node.files}.union(*(self.files_of(other) for other in node.nodes))

    def signature(self, dependency: Dependency) -> Signature:
        """Return the current signature of a dependency. It is computed at most once between two calls of `begin`."""
        if dependency not in self._signatures:
            kind, path = dependency
            self._signatures[dependency] = _SIGNATURES[kind](path)
        return self._signatures[dependency]

    def _note_use(self, files: Mapping[Dependency, Signature], nodes: Mapping[Hashable, int]) -> None:
        """Record files and values of this memo as dependencies of the innermost running computation.

        A computation of another memo depends on the files instead of the values, whose names mean nothing to that memo.
        """
        if not _computations.stack:
            return
        memo, caller = _computations.stack[-1]
        caller.files.update(files)
        if memo is self:
            caller.nodes.update(nodes)
            return
        for name in nodes:
            node = self._nodes[name]
            self._note_use(node.files, node.nodes)

    def _is_current(self, node: _Node) -> bool:
        if node.checked_generation == self.generation:
            return True
        if any(
            self.signature(dependency) != recorded_signature for dependency, recorded_signature in node.files.items()
        ):
            return False
        for name, version in node.nodes.items():
            other = self._nodes[name]
            if not self._is_current(other):
                try:
                    other = self._compute(name, other.make)
                except Exception:  # reported when the value itself is requested
                    return False
            if other.version != version:
                return False
        node.checked_generation = self.generation
        return True

    def _compute(self, name: Hashable, make: Callable[[], Any]) -> _Node:
        node, is_failed = _Node(make), False
        _computations.stack.append((self, node))
        try:
            node.value = make()
        except Exception:
            is_failed = True
            raise
        finally:
            _computations.stack.pop()
            if is_failed:  # the caller also depends on the inputs of a failed computation
                self._note_use(node.files, node.nodes)
        previous = self._nodes.get(name)
        if previous is None:
            node.version = 1
        else:
            node.version = previous.version + (previous.value != node.value)
        node.checked_generation = self.generation
        self._nodes[name] = node
        return node
