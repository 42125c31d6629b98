"""Import an engine, before programs run in this process or in forks of it."""

from __future__ import annotations

import gc
import importlib
import importlib.metadata
import pkgutil
import sys
from collections.abc import Callable

from snippetcheck.engines import Engine, ReplacedModules, find


def import_engine(engine: Engine) -> tuple[list[Callable[[], object]], dict[str, str | None]]:
    """Import the modules of the engine. Return its `reseed` functions, and the file of each module in its `sources`.

    Raises ImportError if a module or a distribution is missing, AttributeError if a `reseed` function is missing, or any error that the
    import of a module raises.
    """
    gc.disable()
    sys.path[:0] = [entry for entry in engine.path if entry not in sys.path]
    if engine.replace:
        sys.meta_path.insert(0, ReplacedModules(engine.replace))
    for name in engine.preload:
        importlib.import_module(name)
    for name in engine.replace:
        importlib.import_module(name)
    for name in engine.distributions:
        importlib.metadata.version(name)
    gc.enable()
    origins = {name: getattr(find(name, ()), "origin", None) for name in engine.sources}
    return [pkgutil.resolve_name(name) for name in engine.reseed], origins
