"""`torch.autograd.grad_mode`: the core's modes, and inference mode.

In inference mode no operation is recorded. Tensors created in inference mode have no version: their counter is a `_NoVersion`.
"""

from __future__ import annotations

import threading
from typing import Any

from reference_impl.core.extensions import add_members, extensions, states
from reference_impl.core.modes import ModeBlock, enable_grad, is_grad_enabled, mode, no_grad, set_grad_enabled, switch
from reference_impl.core.tensor import VersionCounter

__all__ = ["enable_grad", "inference_mode", "is_grad_enabled", "mode", "no_grad", "set_grad_enabled"]

for _mode in (no_grad, enable_grad, set_grad_enabled):
    add_members(_mode, __module__=__name__)  # torch defines these classes in `torch.autograd.grad_mode`

# The identifiers of threads in inference mode. A thread that ends in this mode stays in the set, so the set only says whether it is
# worth reading `mode.inference`.
_threads: set[int] = set()


def is_inference_mode_enabled() -> bool:
    """Return whether this thread is inside `inference_mode()`."""
    return mode.inference


class inference_mode(ModeBlock):
    """Context manager and decorator: switch recording off.

    Tensors created inside are inference tensors: outside, no operation may save them for backward or change them in place.

    Args:
        mode: False switches inference mode off and recording on inside the block.
    """

    def __new__(cls, mode: Any = True) -> Any:
        return object.__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def clone(self) -> Any:
        """Return a new context manager with the same mode, for a call of a decorated function. (Calls may be nested.)"""
        return type(self)(self.mode)

    def __enter__(self) -> None:
        self.outer = mode.enabled, mode.inference, mode.requested
        self._switch(not self.mode, self.mode, False)

    def __exit__(self, *error: Any) -> None:
        self._switch(*self.outer)

    @staticmethod
    def _switch(enabled: bool, inference: bool, requested: bool) -> None:
        mode.inference, mode.requested = inference, requested
        switch(enabled)
        (_threads.add if inference else _threads.discard)(threading.get_ident())
        states.inference = bool(_threads)


class _NoVersion(VersionCounter):
    """The version counter of inference tensors, which have no version: reading it raises an error."""

    __slots__ = ()
    is_versioned = False

    def __init__(self) -> None:
        pass

    @property
    def value(self) -> int:  # type: ignore[override]
        """Raise RuntimeError. A node that saves the tensor reads this attribute."""
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
            "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in "
            "autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )

    def read(self) -> int:
        raise RuntimeError("Inference tensors do not track version counter.")

    def bump(self) -> None:
        """Raise RuntimeError outside inference mode. As in torch, the in-place operation has already changed the values."""
        if not mode.inference:
            raise RuntimeError(
                "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a "
                "clone to get a normal tensor before doing inplace update.See "
                "https://github.com/pytorch/rfcs/pull/17 for more details."
            )


NO_VERSION = _NoVersion()
extensions.fill(no_version=NO_VERSION)
