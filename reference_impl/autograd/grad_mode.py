"""Whether operations record a graph. Every thread has its own mode, and begins with recording on."""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any


class _Mode(threading.local):
    """Of one thread.

    Attributes:
        enabled: whether operations record; never so in inference mode.
        inference: whether the tensors made now are inference tensors.
        asked_in_inference: what `is_grad_enabled()` says in inference mode, where `enable_grad` changes nothing else.
    """

    enabled: bool = True
    inference: bool = False
    asked_in_inference: bool = False


mode = _Mode()
not_recording: set[int] = set()
in_inference_mode: set[int] = set()
"""The threads in which `mode.enabled` is off, and those in which `mode.inference` is on. While there is none, as mostly, the
frequent operations need not ask `mode`: what belongs to a thread takes five times as long to read as what belongs to all. (A
thread that ends in such a mode stays listed. Then `mode` is asked, and answers as before.)
"""


def switch(enabled: bool, inference: bool) -> None:
    """Set the mode of this thread."""
    mode.enabled, mode.inference = enabled, inference
    thread = threading.get_ident()
    (not_recording.discard if enabled else not_recording.add)(thread)
    (in_inference_mode.add if inference else in_inference_mode.discard)(thread)


def is_grad_enabled() -> bool:
    """Whether operations of this thread record a graph, inference mode aside."""
    return mode.asked_in_inference if mode.inference else mode.enabled


class _ModeContext:
    """A context manager that also works as a decorator: `with no_grad():`, `@no_grad()` and `@no_grad`."""

    prev: bool = False

    def __call__(self, orig_func: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isclass(orig_func):
            warnings.warn(_DECORATED_CLASS, FutureWarning, stacklevel=2)
            made: Any = orig_func
            return _decorated(self.clone, lambda *args, **kwargs: made(*args, **kwargs))
        if inspect.isgeneratorfunction(orig_func):
            return _decorated_generator(self.clone, orig_func)
        return _decorated(self.clone, orig_func)

    def clone(self) -> Any:
        """A context manager of its own for each call: the same one may be open several times at once."""
        return type(self)()

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        _set(self.prev)


_DECORATED_CLASS = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or methods. "
    "To preserve the current behavior of class decoration, you can directly decorate the `__init__` method and nothing else."
)


def _decorated(context: Callable[[], Any], function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with context():
            return function(*args, **kwargs)

    return wrapper


def _decorated_generator(context: Callable[[], Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """A generator is in the mode while it runs, and its caller is not while it waits."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        generator = function(*args, **kwargs)
        try:
            with context():
                response = generator.send(None)
            while True:
                try:
                    request = yield response
                except GeneratorExit:
                    with context():
                        generator.close()
                    raise
                except BaseException:
                    with context():
                        response = generator.throw(sys.exc_info()[1])
                else:
                    with context():
                        response = generator.send(request)
        except StopIteration as end:
            return end.value

    return wrapper


class _WithoutArguments(_ModeContext):
    def __new__(cls, orig_func: Any = None) -> Any:
        return super().__new__(cls) if orig_func is None else cls()(orig_func)


class no_grad(_WithoutArguments):
    """Switch recording off: results have `requires_grad=False`, whatever their inputs. Creation of leaves with
    `requires_grad=True` still works."""

    def __enter__(self) -> None:
        self.prev = is_grad_enabled()
        _set(False)


class enable_grad(_WithoutArguments):
    """Switch recording on, inside a `no_grad` block for instance."""

    def __enter__(self) -> None:
        self.prev = is_grad_enabled()
        _set(True)


class set_grad_enabled(_ModeContext):
    """Set recording to `mode` at once; as a context manager, restore it at the end.

    Raises:
        TypeError: `mode` is no bool.
    """

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {type(mode).__name__}"
            )
        self.mode = mode
        self.prev = is_grad_enabled()
        _set(mode)

    def __call__(self, orig_func: Callable[..., Any]) -> Callable[..., Any]:
        _set(self.prev)
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        _set(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"

    def clone(self) -> Any:
        return type(self)(self.mode)


class inference_mode(_ModeContext):
    """Recording off, and tensors made inside are marked: they may not take part in recording later on.

    With `mode=False` it is the reverse: inference mode ends inside, and recording is on.
    """

    def __new__(cls, mode: Any = True) -> Any:
        return super().__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def clone(self) -> Any:
        return type(self)(self.mode)

    def __enter__(self) -> None:
        self.outer = mode.enabled, mode.inference, mode.asked_in_inference
        mode.asked_in_inference = False
        switch(not self.mode, self.mode)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        enabled, inference, mode.asked_in_inference = self.outer
        switch(enabled, inference)


def is_inference_mode_enabled() -> bool:
    """Whether this thread is inside `inference_mode()`."""
    return mode.inference


def _set(enabled: bool) -> None:
    if mode.inference:
        mode.asked_in_inference = enabled
    else:
        switch(enabled, False)
