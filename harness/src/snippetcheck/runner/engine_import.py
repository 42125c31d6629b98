"""Import an engine, before programs run in this process or in forks of it."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import sys
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from snippetcheck.engines import Engine, EngineError, ReplacedModules, find
from snippetcheck.program import skip_starters

_INSTALL = "install it, correct the name, or add its folder to `path`"


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
