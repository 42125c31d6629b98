"""Modules whose names are switches: `torch.backends.cudnn.enabled = 1` is an error at once, as it is in torch."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from reference_impl.backends import _precision

frozen = False
"""Whether switches may only be set by a `with flags(...)`: `torch.backends.disable_global_flags`."""


class SwitchModule(ModuleType):
    """A module with switches. Give it to a module as its class."""


class Computed:
    """A switch whose value is kept elsewhere."""

    def __init__(self, read: Callable[[], Any], set: Callable[[Any], None]) -> None:
        self.read, self.set = read, set

    def __get__(self, module: ModuleType | None, kind: type | None = None) -> Any:
        return self.read()

    def __set__(self, module: ModuleType, value: Any) -> None:
        if frozen:
            raise RuntimeError(
                f"not allowed to set {module.__name__.replace('reference_impl', 'torch', 1)} flags after "
                "disable_global_flags; please use flags() context manager instead"
            )
        self.set(value)


class Switch(Computed):
    """True or False, which nothing here depends on.

    Args:
        setter: the name of torch's function, which stands in the error for anything but a bool.
    """

    def __init__(self, value: bool, setter: str) -> None:
        super().__init__(lambda: self.value, self._store)
        self.value, self.setter = value, setter

    def _store(self, value: bool) -> None:
        _precision.check_bool(self.setter, value)
        self.value = value


def precision(backend: str, set_for: str | None = None) -> Computed:
    """`fp32_precision` of a whole backend; `set_for` is the backend that is set, if it is another."""
    return Computed(
        lambda: _precision.word(backend, "all"), lambda value: _precision.set_word(set_for or backend, "all", value)
    )
