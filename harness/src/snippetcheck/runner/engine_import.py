"""Import an engine, before programs run in this process or in forks of it."""

from __future__ import annotations

import gc
import importlib
import importlib.metadata
import os
import pkgutil
import sys
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from snippetcheck import engines
from snippetcheck.engines import Engine, EngineError, ReplacedModules, find

# The files of functions that import modules begin with one of these.
_IMPORTERS = ("<frozen importlib", pkgutil.__file__, *map(os.path.dirname, (engines.__file__, importlib.__file__)))
_INSTALL = "install it, correct the name, or add its folder to `path`"


def import_engine(engine: Engine) -> tuple[list[Callable[[], object]], dict[str, str | None]]:
    """Import the modules of the engine. Return its `reseed` functions, and the file of each module in its `sources`.

    Each `reseed` function is called once. Raises EngineError, which names the setting, if a name in a setting is not found or raises.
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
    _load("distributions", engine.distributions, importlib.metadata.version, "install it or correct the name")
    gc.enable()
    origins = _load("sources", engine.sources, _origin, _INSTALL)
    remedy = "name a function without arguments, as in random.seed"
    functions = _load("reseed", engine.reseed, pkgutil.resolve_name, remedy)
    # This warms Python's caches. Otherwise each child copies 1,400 memory pages for NumPy's seed.
    _load("reseed", engine.reseed, lambda name: functions[name](), remedy)
    return list(functions.values()), origins


def _origin(name: str) -> str | None:
    """Return the file of a module; None for a folder without `__init__.py`."""
    spec = find(name, ())
    if spec is None:
        raise ModuleNotFoundError(f"No module named {name!r}")
    return spec.origin


def _load(setting: str, names: Iterable[str], load: Callable[[str], Any], remedy: str) -> dict[str, Any]:
    """Return `load(name)` for each name. If `load` raises an error, raise EngineError, with a traceback of code that was imported."""
    values = {}
    for name in names:
        try:
            values[name] = load(name)
        except BaseException as error:
            entry = error.__traceback__
            while entry and entry.tb_frame.f_code.co_filename.startswith(_IMPORTERS):
                entry = entry.tb_next
            if entry or isinstance(error, SyntaxError):
                lines = traceback.format_exception(type(error), error, entry)
                remedy = f"correct this code:\n{''.join(lines).rstrip()}"
            raise EngineError(f"{setting}: {name!r} raises {type(error).__name__}: {error}\n    {remedy}") from None
    return values
