"""Make a process that the harness has prepared look to the program like one of `python file.py`."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from snippetcheck import program

_PACKAGE = os.path.dirname(os.path.abspath(program.__file__)) + os.sep
_MARK = program._Mark.__matmul__.__code__

_Hook = Callable[[FrameType, str, Any], Any]


def freeze_heap() -> None:
    """Freeze the objects of the engine, and hide that from programs. Garbage collection in a child then does not write to their memory pages.

    The kernel copies each page to which a child writes. `gc.get_freeze_count` does not count these objects.
    """
    count = gc.get_freeze_count
    count_before = count()
    gc.freeze()  # a collection in a child would copy every page of the engine
    gc.collect()  # clears Python's free lists
    frozen_count = count() - count_before  # counted once: this walks the whole heap

    @functools.wraps(count)
    def get_freeze_count() -> int:
        return max(0, count() - frozen_count)

    def wrap(change: Callable[[], None]) -> Callable[[], None]:
        @functools.wraps(change)
        def wrapper() -> None:
            nonlocal frozen_count
            frozen_count = 0
            change()

        return wrapper

    gc.get_freeze_count = get_freeze_count
    # Both functions affect all objects, so that `frozen_count` no longer holds.
    gc.freeze, gc.unfreeze = wrap(gc.freeze), wrap(gc.unfreeze)


class _Filter:
    """A profile or trace function that passes the events of a thread to `function`, without those of the harness."""

    def __init__(self, function: _Hook, sys_functions: tuple[object, ...]):
        self.function, self.sys_functions = function, sys_functions
        self.is_between_statements = False

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code is _MARK:
            self.is_between_statements = event != "return"
            return self
        if self.is_between_statements:
            return None
        if code.co_filename.startswith(_PACKAGE):
            if event.startswith("c_") and argument in self.sys_functions and frame.f_back:
                self.function(frame.f_back, event, argument)  # the program has called a function in `sys_functions`
            return None
        return self.function(frame, event, argument)


def hide_calls() -> None:
    """Have a function that the program sets with `sys.setprofile` or `sys.settrace` not be called for the code of the harness."""
    for kind in ("profile", "trace"):
        _hide_calls(kind)


def _hide_calls(kind: str) -> None:
    setter, getter = getattr(sys, f"set{kind}"), getattr(sys, f"get{kind}")

    @functools.wraps(setter)
    def set_hook(function: _Hook | None, /) -> None:
        setter(function if function is None else _Filter(function, (setter, getter)))

    @functools.wraps(getter)
    def get_hook() -> Any:
        hook = getter()
        return hook.function if isinstance(hook, _Filter) else hook

    setattr(sys, f"set{kind}", set_hook)
    setattr(sys, f"get{kind}", get_hook)
