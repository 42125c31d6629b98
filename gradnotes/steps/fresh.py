"""What a program does to its process, undone: in a page, one worker runs a reader's programs one after the other.

The engine is imported anew for each run (`page.prepare`). This is the rest: modules, their contents, settings, files. What a
program does inside of an object that was there before, such as a method that it puts into a class of the library, stays.
"""

from __future__ import annotations

import contextlib
import contextvars
import gc
import os
import random
import shutil
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

KEPT = ("numpy",)  # its compiled parts cannot be loaded twice
T = TypeVar("T")
_LISTS = ("path", "meta_path", "path_hooks", "warnoptions")  # of `sys`


def run(function: Callable[..., T], *arguments: Any) -> T:
    """`function(*arguments)` in an empty folder of its own; when it is over, all is as before."""
    with _put_back():
        return contextvars.copy_context().run(function, *arguments)


@contextlib.contextmanager
def _put_back() -> Iterator[None]:
    modules = dict(sys.modules)
    contents = {module: dict(vars(module)) for module in modules.values() if isinstance(module, types.ModuleType)}
    lists = {name: list(getattr(sys, name)) for name in _LISTS}
    environment, before = dict(os.environ), os.getcwd()
    limit, collects, traces, profiles = sys.getrecursionlimit(), gc.isenabled(), sys.gettrace(), sys.getprofile()
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    _reseed()
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name not in modules and name.partition(".")[0] not in KEPT]:
            del sys.modules[name]
        sys.modules.update(modules)
        for module, had in contents.items():
            _restore(vars(module), had)
        for name, had_list in lists.items():
            getattr(sys, name)[:] = had_list
        sys.setrecursionlimit(limit)
        sys.settrace(traces)
        sys.setprofile(profiles)
        (gc.enable if collects else gc.disable)()
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)


def _restore(now: dict[str, Any], had: dict[str, Any]) -> None:
    """Let a module's names be what they were; a part of it that was imported since, and is kept, keeps its name."""
    for name in [name for name in now if name not in had]:
        if not (isinstance(now[name], types.ModuleType) and now[name].__name__ in sys.modules):
            del now[name]
    now.update(had)


def _reseed() -> None:
    """As if the process had just begun: neither a seed that another program has set counts, nor that of a recorded memory."""
    random.seed()
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
