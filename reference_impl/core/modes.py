"""Switch the recording of operations on and off. Every thread has its own mode, and begins with recording on."""

import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any

NOT_A_BOOL = "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {}"
NOT_DECORATED = "PyTorch can decorate a class or a generator with {}; reference_impl, which runs here, cannot"


class _Mode(threading.local):
    enabled: bool = True  # whether operations are recorded
    inference: bool = False  # inference mode: new tensors have no version
    requested: bool = False  # in inference mode: the value that the program has set last; `is_grad_enabled` returns it
    backward_pass: Any = None  # the backward pass that this thread runs


mode = _Mode()
threads_not_recording: set[int] = set()
"""The identifiers of threads in which recording is off. While the set is empty, as it usually is, recording is on everywhere. To read
`mode` takes five times as long as to test the set. (A thread that ends while recording is off stays in the set. This costs time but
changes no result.)"""


def switch(enabled: bool) -> None:
    """Switch recording on or off in this thread."""
    mode.enabled = enabled
    (threads_not_recording.discard if enabled else threads_not_recording.add)(threading.get_ident())


def set_enabled(enabled: bool) -> None:
    """Switch recording on or off in this thread. In inference mode, it stays off, and only the result of `is_grad_enabled` changes."""
    if mode.inference:
        mode.requested = enabled
    else:
        switch(enabled)


def is_grad_enabled() -> bool:
    """Return whether recording is on in this thread. In inference mode it is off; then return what was set last, as torch does."""
    return mode.requested if mode.inference else mode.enabled


class ModeBlock:
    """Base of context managers such as `no_grad`, which are decorators too: `with no_grad():`, `@no_grad()` or `@no_grad`.

    Raises:
        NotImplementedError: the decorated object is a class or a generator function.
    """

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
            raise NotImplementedError(NOT_DECORATED.format(type(self).__name__))

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return wrapper

    def clone(self) -> Any:
        """Return a new context manager with the same mode, for a call of a decorated function. (Calls may be nested.)"""
        return type(self)()


class no_grad(ModeBlock):
    """Switch recording off: results of operations have `requires_grad=False`, even if an input requires a gradient.

    There are two exceptions: leaves created with `requires_grad=True`, and views, which require grad if their base does.
    """

    enabled = False


class enable_grad(ModeBlock):
    """Switch recording on, for example inside a `no_grad` block. In inference mode, recording stays off."""

    enabled = True


class set_grad_enabled(ModeBlock):
    """Switch recording on or off immediately. As a context manager, restore the previous mode at the end of the block.

    As a decorator, restore the previous mode immediately, and switch only during calls of the decorated function. In inference
    mode, recording stays off.

    Args:
        mode: True switches recording on, False off.

    Raises:
        TypeError: `mode` is not a bool.
    """

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(NOT_A_BOOL.format(type(mode).__name__))
        self.enabled, self.prev = mode, is_grad_enabled()
        set_enabled(mode)

    def __enter__(self) -> None:
        set_enabled(self.enabled)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        set_enabled(self.prev)
        return super().__call__(function)

    def clone(self) -> Any:
        """Return a new context manager with the same mode, for a call of a decorated function."""
        return type(self)(self.enabled)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.enabled})"
