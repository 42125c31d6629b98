"""Show in the `__dict__` of a tensor only the attributes that a program has stored, not those of the engine."""

from __future__ import annotations

from typing import Any


class _Attributes:
    """Base with the dict in which Python stores all attributes of a tensor."""

    __slots__ = ("__dict__",)


class TensorAttributes(_Attributes):
    """Base of `Tensor` whose `__dict__` shows the attributes that a program has stored."""

    __slots__ = ()

    _attributes: Any = vars(_Attributes)["__dict__"]  # Python's dict of the tensor, with the engine's attributes too

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        """Return the attributes that a program has stored on this tensor."""
        return StoredAttributes(self._attributes, type(self))


class StoredAttributes(dict[str, Any]):
    """A copy of `attributes`, a tensor's dict of all attributes, without the engine's attributes.

    Assignments, deletions, `update` and `pop` change both dicts. Other methods of `dict` change only the copy.
    """

    def __init__(self, attributes: dict[str, Any], cls: type) -> None:
        super().__init__({name: value for name, value in attributes.items() if not hasattr(cls, name)})
        self._attributes = attributes

    def __setitem__(self, name: str, value: Any) -> None:
        self._attributes[name] = value
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        del self._attributes[name]

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Store attributes on the tensor. The arguments are those of `dict.update`."""
        for name, value in dict(*args, **kwargs).items():
            self[name] = value

    def pop(self, name: str, *default: Any) -> Any:
        """Remove an attribute and return its value. If it does not exist, return `default`, or raise KeyError without one."""
        if name in self:
            del self._attributes[name]
        return super().pop(name, *default)
