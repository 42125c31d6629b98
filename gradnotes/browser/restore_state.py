"""Restore the process after a program, so that one browser worker can run several programs.

`run.forget_engine` removes the engine, and each run imports it again. This module restores the rest: modules and their
contents, settings, files. It does not undo changes inside objects, such as a method that a program assigns to a class of a
library.
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

# Packages whose modules stay imported: numpy's extension modules cannot be loaded twice, and the engine extends its own
# classes while it is imported, which it cannot do twice. `run` still uses the engine after the program.
STAY_IMPORTED = ("numpy", "reference_impl")
T = TypeVar("T")
_LISTS = ("path", "meta_path", "path_hooks", "warnoptions")  # attributes of `sys`


def run(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function in an empty temporary folder, and return its result. Then undo its changes to the process.

    Before the call, the generators of `random` and `numpy.random` get new seeds.
    """
    with _restored_process_state():
        return contextvars.copy_context().run(function, *arguments)


@contextlib.contextmanager
def _restored_process_state() -> Iterator[None]:
    modules = dict(sys.modules)
    contents = {module: dict(vars(module)) for module in modules.values() if isinstance(module, types.ModuleType)}
    lists = {name: list(getattr(sys, name)) for name in _LISTS}
    environment, working_folder = dict(os.environ), os.getcwd()
    limit, is_gc_enabled = sys.getrecursionlimit(), gc.isenabled()
    trace_function, profile_function = sys.gettrace(), sys.getprofile()
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  `exit()` closes it
    _reseed()
    try:
        yield
    finally:
        new_modules = [name for name in sys.modules if name not in modules]
        for name in new_modules:
            if name.partition(".")[0] not in STAY_IMPORTED:
                del sys.modules[name]
        sys.modules.update(modules)
        for module, saved_names in contents.items():
            _restore(vars(module), saved_names)
        for name, saved_list in lists.items():
            getattr(sys, name)[:] = saved_list
        sys.setrecursionlimit(limit)
        sys.settrace(trace_function)
        sys.setprofile(profile_function)
        (gc.enable if is_gc_enabled else gc.disable)()
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(working_folder)
        shutil.rmtree(folder, ignore_errors=True)


def _restore(names: dict[str, Any], saved_names: dict[str, Any]) -> None:
    """Restore `names`, the attributes of a module. Remove new attributes, except modules that are in sys.modules."""
    for name in [name for name in names if name not in saved_names]:
        if not (isinstance(names[name], types.ModuleType) and names[name].__name__ in sys.modules):
            del names[name]
    names.update(saved_names)


def _reseed() -> None:
    """Seed the random generators from the operating system, as a new process does.

    An earlier program may have set a seed. Also, the browser starts Python from a memory snapshot, in which the
    generators already have a seed.
    """
    random.seed()
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
