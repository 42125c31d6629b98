"""Reads a pickle without running code from it.

A pickle is a program for a machine with a stack. Here the machine builds numbers, texts, lists, tuples, dicts and sets; calls only
what `SAFE_GLOBALS` or `add_safe_globals` name; and sets the state of nothing but ordered dicts and classes that were added. Every
other instruction is refused, as in torch/_weights_only_unpickler.py.
"""

from __future__ import annotations

import pickle
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

from reference_impl import _dtype
from reference_impl._device import device as Device
from reference_impl._size import Size
from reference_impl._tensor import Tensor

_ADVICE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. Re-running "
    "`torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only "
    "if you got the file from a trusted source."
)
_DOCUMENTATION = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with weights_only "
    "https://pytorch.org/docs/stable/generated/torch.load.html."
)
_UNSAFE = (
    "Weights only load failed. This file can still be loaded, to do so you have two options, \033[1mdo those steps only if you "
    f"trust the source of the checkpoint\033[0m. \n\t(1) {_ADVICE}\n\t(2) Alternatively, to load "
    "with `weights_only=True` please check the recommended steps in the following error message.\n\tWeightsUnpickler error: "
    "Unsupported global: GLOBAL {0} was not an allowed global by default. Please use `torch.serialization.add_safe_globals([{0}])` "
    "or the `torch.serialization.safe_globals([{0}])` context manager to allowlist this global if you trust this class/function."
    + _DOCUMENTATION
)
_BLOCKED = (
    f"Weights only load failed. {_ADVICE}\n\n\nTrying to load unsupported GLOBAL {{0}} whose module {{1}} is blocked."
    + _DOCUMENTATION
)
_OTHER = (
    f"Weights only load failed. {_ADVICE}\nPlease file an issue with the following so that we can make `weights_only=True` "
    "compatible with your use case: WeightsUnpickler error: \n\n{0}" + _DOCUMENTATION
)
_BLOCKED_MODULES = ("sys", "os", "posix", "nt")  # not even if added

SAFE_GLOBALS: dict[str, Any] = {
    "torch.Size": Size,
    "torch.device": Device,
    "torch.Tensor": Tensor,
    "collections.OrderedDict": OrderedDict,
    "collections.Counter": Counter,
    "collections.defaultdict": defaultdict,
    "builtins.dict": dict,
    "builtins.set": set,
    "__builtin__.set": set,
    "builtins.complex": complex,
    "builtins.bytearray": bytearray,
    "_codecs.encode": lambda text, encoding: text.encode(encoding),
    **{f"torch.{d.name}": d for d in _dtype.ALL},
}
"""What a file may name; `serialization` adds what tensors are made by."""

_added: list[Any] = []


def add_safe_globals(safe_globals: list[Any]) -> None:
    """Let `load` with `weights_only=True` build these classes and call these functions too."""
    _added.extend(safe_globals)


def get_safe_globals() -> list[Any]:
    """What was added."""
    return list(_added)


def clear_safe_globals() -> None:
    """Take back what was added."""
    _added.clear()


class safe_globals:
    """Add these for the time of a block."""

    def __init__(self, safe_globals: list[Any]) -> None:
        self.safe_globals = safe_globals

    def __enter__(self) -> None:
        self.before = list(_added)
        add_safe_globals(self.safe_globals)

    def __exit__(self, *error: Any) -> None:
        _added[:] = self.before


def named(module: str, name: str) -> Any:
    """What a file means by this name, or None where it is not known to be safe."""
    full = f"{module}.{name}"
    if full in SAFE_GLOBALS:
        return SAFE_GLOBALS[full]
    for value in _added:
        value, called = value if isinstance(value, tuple) else (value, f"{value.__module__}.{value.__qualname__}")
        if called == full:
            return value
    return None


def _is_known(value: Any) -> bool:
    return any(value is v for v in [*SAFE_GLOBALS.values(), *_added])


_InPython: Any = pickle._Unpickler  # unlike the one in C, its instructions can be replaced


class Unpickler(_InPython):
    """Reads one object.

    Args:
        persistent_load: makes what a file keeps outside of the pickle: the storages.

    Raises:
        pickle.UnpicklingError: an unknown name, an instruction that is not allowed, or no pickle at all.
    """

    def __init__(self, file: Any, persistent_load: Callable[[Any], Any]) -> None:
        super().__init__(file, encoding="utf-8")
        self.persistent_load = persistent_load

    def load(self) -> Any:
        try:
            return super().load()
        except (pickle.UnpicklingError, RuntimeError, EOFError):
            raise
        except KeyError as error:
            raise self._refused(f"Unsupported operand {error}") from error
        except Exception as error:  # whatever the bytes of a damaged file amount to
            raise self._refused(f"{type(error).__name__}: {error}") from error

    @staticmethod
    def _refused(reason: str) -> pickle.UnpicklingError:
        return pickle.UnpicklingError(_OTHER.format(reason))

    def find_class(self, module: str, name: str) -> Any:
        full = f"{module}.{name}"
        if module in _BLOCKED_MODULES:
            raise pickle.UnpicklingError(_BLOCKED.format(full, module))
        found = named(module, name)
        if found is None:
            raise pickle.UnpicklingError(_UNSAFE.format(full.removeprefix("builtins.")))
        return found

    def load_reduce(self) -> None:
        """Call a function with the arguments on the stack."""
        arguments = self.stack.pop()
        function = self.stack[-1]
        if not _is_known(function):
            raise self._refused(f"Trying to call reduce for unrecognized function {function}")
        self.stack[-1] = function(*arguments)

    def load_newobj(self) -> None:
        """Make an object of a class, before its `__init__`."""
        arguments = self.stack.pop()
        cls = self.stack.pop()
        if not (isinstance(cls, type) and _is_known(cls)):
            raise self._refused(
                f"Can only create new object for nn.Parameter or classes allowlisted via `add_safe_globals` but got {cls}"
            )
        self.append(cls.__new__(cls, *arguments))

    def load_build(self) -> None:
        """Set the state of an object; never of a class or of a tensor."""
        state = self.stack.pop()
        target = self.stack[-1]
        if type(target) is OrderedDict:
            target.__dict__.update(state)
        elif any(type(target) is v for v in _added):
            _set_state(target, state)
        else:
            raise self._refused(
                "Can only build Tensor, Parameter, OrderedDict or types allowlisted via `add_safe_globals`, but got "
                f"{type(target)}"
            )

    def load_append(self) -> None:
        value = self.stack.pop()
        self._list().append(value)

    def load_appends(self) -> None:
        values = self.pop_mark()
        self._list().extend(values)

    def _list(self) -> list[Any]:
        if type(self.stack[-1]) is not list:
            raise self._refused(f"Can only append to lists, but got {type(self.stack[-1])}")
        return self.stack[-1]

    def load_setitem(self) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._dict()[key] = value

    def load_setitems(self) -> None:
        items = self.pop_mark()
        self._dict().update(zip(items[::2], items[1::2], strict=True))

    def _dict(self) -> Any:
        if type(self.stack[-1]) not in (dict, OrderedDict, Counter, defaultdict):
            raise self._refused(f"Can only set items of dicts, but got {type(self.stack[-1])}")
        return self.stack[-1]


_REPLACED = {
    pickle.REDUCE: Unpickler.load_reduce,
    pickle.NEWOBJ: Unpickler.load_newobj,
    pickle.BUILD: Unpickler.load_build,
    pickle.APPEND: Unpickler.load_append,
    pickle.APPENDS: Unpickler.load_appends,
    pickle.SETITEM: Unpickler.load_setitem,
    pickle.SETITEMS: Unpickler.load_setitems,
}
_REFUSED = (pickle.INST, pickle.OBJ, pickle.EXT1, pickle.EXT2, pickle.EXT4, pickle.NEWOBJ_EX, pickle.PERSID)
Unpickler.dispatch = {
    **{code: load for code, load in Unpickler.dispatch.items() if bytes([code]) not in _REFUSED},
    **{code[0]: load for code, load in _REPLACED.items()},
}


def _set_state(target: Any, state: Any) -> None:
    """As `pickle` does for an object of an ordinary class."""
    if hasattr(target, "__setstate__"):
        target.__setstate__(state)
        return
    state, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    if state:
        target.__dict__.update(state)
    for name, value in (slots or {}).items():
        setattr(target, name, value)
