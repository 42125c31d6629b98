"""`torch.autograd.grad_mode`: what the core's modes have beyond it: inference mode.

In inference mode nothing is recorded, and tensors made there have no version: their counter is of a kind that says so.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

from reference_impl.core import modes, views
from reference_impl.core.modes import ModeBlock, enable_grad, mode, no_grad, set_grad_enabled, switch
from reference_impl.core.tensor import Tensor, VersionCounter
from reference_impl.core.views import CreationMeta

__all__ = ["enable_grad", "inference_mode", "mode", "no_grad", "set_grad_enabled"]


for _mode in (no_grad, enable_grad, set_grad_enabled):
    _mode.__module__ = __name__  # where torch has them
set_grad_enabled.__repr__ = lambda self: f"torch.autograd.grad_mode.set_grad_enabled(mode={self.enabled})"  # type: ignore[method-assign, assignment, attr-defined]


class _Inference(threading.local):
    """Of one thread.

    Attributes:
        on: whether the tensors made now are inference tensors.
        asked: what `is_grad_enabled()` says then, where `enable_grad` changes nothing else.
    """

    on: bool = False
    asked: bool = False


inference = _Inference()
_threads: set[int] = set()  # those in inference mode; one that ends in it stays listed, and `inference` is asked


def is_grad_enabled() -> bool:
    """Whether operations of this thread record a graph, inference mode aside."""
    return inference.asked if inference.on else mode.enabled


def is_inference_mode_enabled() -> bool:
    """Whether this thread is inside `inference_mode()`."""
    return inference.on


def _set(enabled: bool) -> None:
    if inference.on:
        inference.asked = enabled
    else:
        switch(enabled)


modes.set_enabled, modes.asked = _set, is_grad_enabled


class inference_mode(ModeBlock):
    """Recording off, and tensors made inside are marked: they may not take part in recording later on.

    With `mode=False` it is the reverse: inference mode ends inside, and recording is on.
    """

    def __new__(cls, mode: Any = True) -> Any:
        return object.__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def clone(self) -> Any:
        return type(self)(self.mode)

    def __enter__(self) -> None:
        self.outer = mode.enabled, inference.on, inference.asked
        self._switch(not self.mode, self.mode, False)

    def __exit__(self, *error: Any) -> None:
        self._switch(*self.outer)

    @staticmethod
    def _switch(enabled: bool, on: bool, asked: bool) -> None:
        _unmarked()
        inference.on, inference.asked = on, asked
        switch(enabled)
        (_threads.add if on else _threads.discard)(threading.get_ident())
        Tensor._wrap = staticmethod(_marked if _threads else _unmarked())  # type: ignore[method-assign, assignment]


class _NoVersion(VersionCounter):
    """In the place of the version of inference tensors."""

    __slots__ = ()
    known = False

    def __init__(self) -> None:
        pass

    @property
    def value(self) -> int:  # type: ignore[override]
        """Asked for when the tensor is to be saved."""
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
            "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in "
            "autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )

    def bump(self) -> None:
        """As in torch, the values have changed by then."""
        if not inference.on:
            raise RuntimeError(
                "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a "
                "clone to get a normal tensor before doing inplace update.See "
                "https://github.com/pytorch/rfcs/pull/17 for more details."
            )


NO_VERSION = _NoVersion()


def _version(self: Tensor) -> int:
    """How many in-place operations changed this memory."""
    if self._version_counter is NO_VERSION:
        raise RuntimeError("Inference tensors do not track version counter.")
    return 0 if self._version_counter is None else self._version_counter.value


Tensor._version = property(_version)  # type: ignore[method-assign, assignment]


@functools.cache
def _unmarked() -> Callable[[Any], Tensor]:
    """`Tensor._wrap` as it is before the first thread is in inference mode."""
    return Tensor._wrap


def _marked(array: Any) -> Tensor:
    """Stands in its place while some thread is."""
    new = _unmarked()(array)
    if inference.on:
        new._version_counter = NO_VERSION
    return new


views.REASONS[CreationMeta.INFERENCE_MODE] = views.REASONS[CreationMeta.NO_GRAD_MODE].replace(
    "no_grad", "inference_mode"
)
views.MODES[CreationMeta.INFERENCE_MODE] = ("inference mode", "in normal mode")
_plain_creation = views.creation_now


def _creation_now() -> CreationMeta:
    return CreationMeta.INFERENCE_MODE if inference.on else _plain_creation()


views.creation_now = _creation_now
