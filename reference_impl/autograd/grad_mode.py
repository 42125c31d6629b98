"""Whether operations record a graph. Every thread has its own mode, and begins with recording on."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any


class _Mode(threading.local):
    enabled: bool = True
    inference: bool = False


mode = _Mode()


def is_grad_enabled() -> bool:
    """Whether operations of this thread record a graph."""
    return mode.enabled


class _ModeContext:
    """A context manager that also works as a decorator: `with no_grad():`, `@no_grad()` and `@no_grad`."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls in (no_grad, enable_grad) and len(args) == 1 and callable(args[0]):
            return super().__new__(cls)(args[0])
        return super().__new__(cls)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return wrapper

    def clone(self) -> Any:
        return type(self)()

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, *error: Any) -> None:
        mode.enabled = self.previous

    previous: bool = True


class no_grad(_ModeContext):
    """Switch recording off: results have `requires_grad=False`, whatever their inputs. Creation of leaves with
    `requires_grad=True` still works."""

    def __enter__(self) -> None:
        self.previous = mode.enabled
        mode.enabled = False


class enable_grad(_ModeContext):
    """Switch recording on, inside a `no_grad` block for instance."""

    def __enter__(self) -> None:
        self.previous = mode.enabled
        mode.enabled = True


class set_grad_enabled(_ModeContext):
    """Set recording to `mode` at once; as a context manager, restore it at the end."""

    def __init__(self, mode: bool) -> None:
        self.wanted = bool(mode)
        self.previous = is_grad_enabled()
        _set(self.wanted)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        _set(self.previous)
        return super().__call__(function)

    def __enter__(self) -> None:
        _set(self.wanted)

    def clone(self) -> Any:
        return type(self)(self.wanted)


class inference_mode(_ModeContext):
    """Recording off, and tensors made inside are marked: they may not take part in recording later on."""

    def __new__(cls, mode: Any = True) -> Any:
        if callable(mode):
            return object.__new__(cls)(mode)
        return object.__new__(cls)

    def __init__(self, mode: bool = True) -> None:
        self.wanted = bool(mode)

    def clone(self) -> Any:
        return type(self)(self.wanted)

    def __enter__(self) -> None:
        self.previous, self.previous_inference = mode.enabled, mode.inference
        mode.enabled, mode.inference = (False, True) if self.wanted else (mode.enabled, False)

    def __exit__(self, *error: Any) -> None:
        mode.enabled, mode.inference = self.previous, self.previous_inference


def is_inference_mode_enabled() -> bool:
    """Whether this thread is inside `inference_mode()`."""
    return mode.inference


def _set(enabled: bool) -> None:
    mode.enabled = enabled
