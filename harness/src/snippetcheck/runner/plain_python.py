"""Make a process that the harness has prepared look to the program like one of `python file.py`."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from snippetcheck import program

_PACKAGE = os.path.dirname(os.path.abspath(program.__file__)) + os.sep
_MARK = program._Mark.__matmul__.__code__

_Hook = Callable[[FrameType, str, Any], Any]


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
