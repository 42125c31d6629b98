"""`torch.device`: where a tensor lives."""

from __future__ import annotations

from typing import Any

_TYPES = ("cpu", "cuda", "meta", "mps", "xpu")


class device:
    """A device type and an index, from `device("cuda:0")`, `device("cuda", 0)` or another device.

    Raises:
        RuntimeError: the text names no device.
    """

    __slots__ = ("type", "index")

    def __init__(self, type: Any, index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index
        elif isinstance(type, int) and not isinstance(type, bool):
            type, index = "cuda", type
        if ":" in type:
            if index is not None:
                raise RuntimeError(
                    f"type (string) must not include an index because index was passed explicitly: {type}"
                )
            type, _, number = type.partition(":")
            if not number.isdigit():
                raise RuntimeError(f"Invalid device string: '{type}:{number}'")
            index = int(number)
        if type not in _TYPES:
            raise RuntimeError(f"Expected one of {', '.join(_TYPES)} device type at start of device string: {type}")
        self.type: str = type
        self.index: int | None = index

    def __repr__(self) -> str:
        return (
            f"device(type='{self.type}')" if self.index is None else f"device(type='{self.type}', index={self.index})"
        )

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> Any:
        return (_device_of, (self.type, self.index))

    def __enter__(self) -> device:
        """`with torch.device("cuda"):` makes tensors there, unless told otherwise."""
        _stack.append(self)
        return self

    def __exit__(self, *error: Any) -> None:
        _stack.pop()


device.__module__ = "torch"


def _device_of(type: str, index: int | None) -> device:
    """What a pickled device is made by: `pickle` would look for `torch.device` in torch."""
    return device(type, index)


_stack: list[device] = []
_default: device | None = None


def get_default_device() -> device:
    """Where tensors are made that are not told where."""
    return _stack[-1] if _stack else _default or device("cpu")


def set_default_device(where: Any) -> None:
    """Make tensors on `where` from now on, unless told otherwise; None stands for the CPU."""
    global _default
    _default = None if where is None else device(where)


def chosen(given: Any) -> device | None:
    """The device for a new tensor; None for the CPU, where nothing needs to be moved."""
    if given is not None:
        return device(given)
    return _stack[-1] if _stack else _default
