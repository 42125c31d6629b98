"""Define engines and the limits of programs on them. An engine determines which modules the imports of a snippet give.

For example, with `replace = {"torch": "reference_impl"}`, `import torch.nn.functional` in a snippet imports
`reference_impl.nn.functional`.
"""

from __future__ import annotations

import functools
import importlib
import importlib.abc
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec  # bound at import: in a program, importlib does not have the attribute `util`
from types import ModuleType

MEBIBYTE = 1 << 20
LEAST_PROCESSES = 64
FORK, SUBPROCESS = "fork", "subprocess"


@dataclass(frozen=True)
class Limits:
    """The limits of a program, which a project or a snippet may set. Most hold for all processes of a program together.

    Attributes:
        processes: the number of processes at a time.
        threads: the number of threads at a time.
        memory: the memory of all processes, in MiB.
        address_space: in MiB per process, in addition to the address space of the engine; 0 for no limit.
        open_files: the number of open files per process; 0 for the limit of the machine.
        output: the output on stdout and stderr together, in MiB.
    """

    # A pool has as many workers as the machine has cores.
    processes: int = max(LEAST_PROCESSES, 2 * (os.cpu_count() or 1))
    threads: int = 1024
    memory: int = 2048
    address_space: int = 2048
    open_files: int = 0
    output: int = 1


_LARGEST_LIMIT = 2**40  # so many MiB are 2**60 bytes, which the operating system accepts as a limit


def limit_problem(name: str, value: object) -> tuple[str, str]:
    """Return (message, remedy) for an unknown limit or an invalid value, else two empty strings."""
    names = [field.name for field in fields(Limits)]
    if name not in names:
        return f"unknown limit {name!r}", f"use one of {', '.join(names)}"
    least = 0 if name in ("address_space", "open_files") else 1
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        return f"{name} must be a whole number of at least {least}, got {value!r}", "write a number without quotes"
    if value > _LARGEST_LIMIT:
        return f"{name} must be at most {_LARGEST_LIMIT}, got {value}", "write a smaller number"
    return "", ""


@dataclass(frozen=True)
class Engine:
    """The modules, environment and limits with which snippets run.

    Attributes:
        preload: modules that are imported before a program runs, with FORK once for all programs.
        replace: maps a top-level module to the module that programs get instead.
        path: folders that are added to `sys.path`.
        reseed: names of functions that are called before each program, so that two runs without a seed differ.
        sources: modules whose source files are part of the cache key.
        distributions: packages that must be installed.
        environment: names of variables that programs see, and whose values are part of the cache key.
        limits: the limits of the project.
        isolation: FORK if each program runs in a fork, SUBPROCESS if in a new Python process.
    """

    name: str
    preload: tuple[str, ...] = ()
    replace: Mapping[str, str] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    reseed: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    distributions: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    isolation: str = FORK

    @classmethod
    def from_json(cls, text: str) -> Engine:
        """Create an engine from a JSON object with its fields."""
        values = json.loads(text)
        return cls(**{**values, "limits": Limits(**values["limits"])})


PYTHON = Engine("python")

# The environment variables of this machine that a program sees.
# coverage.py reads COVERAGE_PROCESS_CONFIG in the processes of a run. Python on Windows does not start without SYSTEMROOT.
KEPT_ENVIRONMENT = (
    *("PATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME"),
    *("COVERAGE_PROCESS_CONFIG", "SYSTEMROOT"),
)


class EngineError(Exception):
    """An engine cannot be started, or a job on it was abandoned."""


def missing_for_fork() -> str:
    """Return the name of a function that forking needs and this Python lacks, as on macOS and Windows, else ""."""
    return next((f"os.{name}" for name in ("fork", "memfd_create", "pidfd_open") if not hasattr(os, name)), "")


@functools.lru_cache(maxsize=1024)
def find(name: str, path: tuple[str, ...]) -> ModuleSpec | None:
    """Return the spec of a module without importing it; None if the module is missing. Search `path` first, then `sys.path`.

    The results are cached in this process; `snippetcheck.cache.forget_sources` clears them.
    """
    package = name.rpartition(".")[0]
    if not package:
        return PathFinder.find_spec(name, list(path)) or find_spec(name)
    spec = find(package, path)  # `find_spec` would import the package
    return PathFinder.find_spec(name, list(spec.submodule_search_locations or ())) if spec else None


class ReplacedModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import hook: with `replace = {"torch": "reference_impl"}`, `import torch.x` gives the module object `reference_impl.x`."""

    def __init__(self, replace: Mapping[str, str]):
        self.replace = dict(replace)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for `fullname` if its top-level package is replaced and the replacement has this module, else None."""
        top, dot, rest = fullname.partition(".")
        if top not in self.replace:
            return None
        stand_in = self.replace[top] + dot + rest
        if stand_in not in sys.modules and find_spec(stand_in) is None:
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import and return the replacement of the module."""
        top, dot, rest = spec.name.partition(".")
        module = importlib.import_module(self.replace[top] + dot + rest)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restore the spec of the replacement: the import system has overwritten it."""
        spec = module.__spec__
        if spec is not None and spec.loader is self:
            module.__spec__ = spec.loader_state
