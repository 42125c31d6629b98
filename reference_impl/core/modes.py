"""Switch recording on and off. Every thread has its own mode, and begins with recording on."""

import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any

NO_BOOL = "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {}"
NOT_DECORATED = "PyTorch decorates classes and generators too; reference_impl, which runs here, does not"


class _Mode(threading.local):
    enabled: bool = True
    inference: bool = False  # inference mode: new tensors have no version
    requested: bool = False  # the result of `is_grad_enabled` in inference mode
    backward_pass: Any = None  # the pass that this thread runs


mode = _Mode()
not_recording: set[int] = set()
"""The threads in which recording is off. While the set is empty, which is usual, `mode` is not read, which takes five times as long.
(A thread that ends in such a mode stays in the set. Then `mode` is read, with the same result.)"""


def switch(enabled: bool) -> None:
    """Switch recording on or off in this thread."""
    mode.enabled = enabled
    (not_recording.discard if enabled else not_recording.add)(threading.get_ident())


def set_enabled(enabled: bool) -> None:
    """Switch recording as `no_grad()` does. In inference mode this has no effect."""
    if mode.inference:
        mode.requested = enabled
    else:
        switch(enabled)


def is_grad_enabled() -> bool:
    """Return whether operations of this thread record a graph. Inference mode is not considered."""
    return mode.requested if mode.inference else mode.enabled


class ModeBlock:
    """Base of modes for a block (`with no_grad():`), or for each call of a function (`@no_grad()`, `@no_grad`)."""

    enabled: bool

    def __new__(cls, function: Any = None) -> Any:
        return super().__new__(cls)(function) if callable(function) else super().__new__(cls)

    def __enter__(self) -> None:
        self.prev = is_grad_enabled()
        set_enabled(self.enabled)

    def __exit__(self, *error: Any) -> None:
        set_enabled(self.prev)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isclass(function) or inspect.isgeneratorfunction(function):
            raise NotImplementedError(NOT_DECORATED)

        @functools.wraps(function)
        def in_this_mode(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return in_this_mode

    def clone(self) -> Any:
        """Return a new block for each call of a decorated function, since calls may be nested."""
        return type(self)()


class no_grad(ModeBlock):
    """Switch recording off: results have `requires_grad=False`, also if an input requires a gradient.

    Leaves can still require one.
    """

    enabled = False


class enable_grad(ModeBlock):
    """Switch recording on, for example inside a `no_grad` block."""

    enabled = True


class set_grad_enabled(ModeBlock):
    """Set recording to `mode` at once; as a context manager, restore it at the end.

    Raises:
        TypeError: `mode` is not a bool.
    """

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(NO_BOOL.format(type(mode).__name__))
        self.enabled, self.prev = mode, is_grad_enabled()
        set_enabled(mode)

    def __enter__(self) -> None:
        set_enabled(self.enabled)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        set_enabled(self.prev)
        return super().__call__(function)

    def clone(self) -> Any:
        """Return a new block for each call of a decorated function."""
        return type(self)(self.enabled)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.enabled})"
