"""Define engines and the limits of programs on them, and import an engine.

An engine determines which modules the imports of a snippet give.

For example, with `replace = {"torch": "reference_impl"}`, `import torch.nn.functional` in a snippet imports
`reference_impl.nn.functional`.
"""

from __future__ import annotations

import functools
import gc
import importlib
import importlib.abc
import json
import os
import pkgutil
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec  # bound at import: in a program, importlib does not have the attribute `util`
from types import ModuleType
from typing import Any

from snippetcheck.program import skip_starters

MEBIBYTE = 1 << 20
LEAST_PROCESSES = 64
FORK, SUBPROCESS = "fork", "subprocess"
_INSTALL = "install it, correct the name, or add its folder to `path`"


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


def import_engine(engine: Engine) -> tuple[list[Callable[[], object]], dict[str, str | None]]:
    """Import the modules of the engine. Return its `reseed` functions, and the file of each module in its `sources`.

    The folders in `path` are added to `sys.path`, and an import hook is installed for `replace`. Each `reseed` function is called
    once. Raises EngineError, which names the setting, if a name in a setting is not found or raises.
    """
    gc.disable()
    sys.path[:0] = [entry for entry in engine.path if entry not in sys.path]
    if engine.replace:
        sys.meta_path.insert(0, ReplacedModules(engine.replace))

    def import_replaced(name: str) -> None:
        if importlib.import_module(name) is not sys.modules[engine.replace[name]]:
            raise ImportError(f"{name} cannot be replaced: Python or the harness has imported it before")

    _load("preload", engine.preload, importlib.import_module, _INSTALL)
    _load("replace", engine.replace.values(), importlib.import_module, _INSTALL)
    _load("replace", engine.replace, import_replaced, "leave it out")
    _load("distributions", engine.distributions, _version, "install it or correct the name")
    gc.enable()
    # The second function raises an error: the first one has found no module.
    specs = _load("sources", engine.sources, lambda name: find(name, ()) or importlib.import_module(name), _INSTALL)
    remedy = "name a function without arguments, as in random.seed"
    functions = _load("reseed", engine.reseed, pkgutil.resolve_name, remedy)
    # This warms Python's caches. Otherwise each child copies 1,400 memory pages for NumPy's seed.
    _load("reseed", engine.reseed, lambda name: functions[name](), remedy)
    return list(functions.values()), {name: spec.origin for name, spec in specs.items()}


def _version(distribution: str) -> str:
    """Return the version of an installed distribution. Raises PackageNotFoundError if it is not installed."""
    metadata = importlib.import_module(
        "importlib.metadata"
    )  # not imported above: it takes 12 ms, and few engines need it
    return str(metadata.version(distribution))


def _load(setting: str, names: Iterable[str], load: Callable[[str], Any], remedy: str) -> dict[str, Any]:
    """Return `load(name)` for each name. If `load` raises an error, raise EngineError, with a traceback of code that was imported."""
    values = {}
    for name in names:
        try:
            values[name] = load(name)
        except BaseException as error:
            message = f"{setting}: {name!r} raises {type(error).__name__}: {error}"
            raise EngineError(f"{message}\n    {code_to_correct(error) or remedy}") from None
    return values


def code_to_correct(error: BaseException) -> str:
    """Return the remedy for an error in code that was imported, with its traceback; empty if no such code ran."""
    entry = skip_starters(error.__traceback__)
    if not entry and not isinstance(error, SyntaxError):
        return ""
    return f"correct this code:\n{''.join(traceback.format_exception(type(error), error, entry)).rstrip()}"
