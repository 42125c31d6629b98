"""Read a pickle without running code from it.

A pickle is a program for a stack machine. This machine builds numbers, strings, lists, tuples, dicts and sets. It calls only functions
of `SAFE_GLOBALS`, and sets the state of ordered dicts only. For any other instruction it raises an error, as
torch/_weights_only_unpickler.py does.
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

_FAILED = "Weights only load failed. "
_UNSAFE = (
    _FAILED
    + "This file can still be loaded, to do so you have two options, \033[1mdo those steps only if you trust the source of the "
    "checkpoint\033[0m. Load it with `weights_only=False`, which runs whatever the file says; or, in PyTorch, allow what it asks for, {0}, "
    "by `torch.serialization.add_safe_globals`."
)

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
"""The objects that a file may name. `serialization` adds those that build tensors."""


def named(module: str, name: str) -> Any:
    """Return the object that a file names, or None if it is not known to be safe."""
    return SAFE_GLOBALS.get(f"{module}.{name}")


_InPython: Any = pickle._Unpickler  # unlike the C class, its instructions can be replaced


class Unpickler(_InPython):
    """Unpickler of one object from a file.

    Args:
        persistent_load: function that returns the storages, which a file keeps outside of the pickle.

    Raises:
        pickle.UnpicklingError: the pickle has an unknown name or a forbidden instruction, or is not a pickle.
    """

    def __init__(self, file: Any, persistent_load: Callable[[Any], Any]) -> None:
        super().__init__(file, encoding="utf-8")
        self.persistent_load = persistent_load

    def load(self) -> Any:
        """Read the object. Raise UnpicklingError or RuntimeError for a damaged file."""
        try:
            return super().load()
        except (pickle.UnpicklingError, RuntimeError, EOFError):
            raise
        except KeyError as error:
            raise self._refusal(f"the instruction {error}") from error
        except Exception as error:  # the bytes of a damaged file can raise anything
            raise self._refusal(f"{type(error).__name__}: {error}") from error

    @staticmethod
    def _refusal(reason: str) -> pickle.UnpicklingError:
        return pickle.UnpicklingError(f"{_FAILED}The file asks for what no checkpoint needs: {reason}")

    def find_class(self, module: str, name: str) -> Any:
        """Return the object of that name; raise UnpicklingError if it is not known to be safe."""
        value = named(module, name)
        if value is None:
            raise pickle.UnpicklingError(_UNSAFE.format(f"{module}.{name}".removeprefix("builtins.")))
        return value

    def load_reduce(self) -> None:
        """Call a function that is known to be safe with the arguments on the stack."""
        arguments = self.stack.pop()
        function = self.stack[-1]
        if not any(function is known for known in SAFE_GLOBALS.values()):
            raise self._refusal(f"a call of {function}")
        self.stack[-1] = function(*arguments)

    def load_newobj(self) -> None:
        """Create an object of a class without calling its `__init__`."""
        arguments = self.stack.pop()
        cls = self.stack.pop()
        if not (isinstance(cls, type) and any(cls is known for known in SAFE_GLOBALS.values())):
            raise self._refusal(f"an object of {cls}")
        self.append(cls.__new__(cls, *arguments))

    def load_build(self) -> None:
        """Set the state of an ordered dict; refuse other objects, since their classes could run code."""
        state = self.stack.pop()
        target = self.stack[-1]
        if type(target) is not OrderedDict:
            raise self._refusal(f"the state of an object of {type(target)}")
        target.__dict__.update(state)

    def load_append(self) -> None:
        """Append to a list; refuse other objects, since their classes could run code."""
        value = self.stack.pop()
        self._list().append(value)

    def load_appends(self) -> None:
        """Extend a list; refuse other objects, since their classes could run code."""
        values = self.pop_mark()
        self._list().extend(values)

    def _list(self) -> list[Any]:
        if type(self.stack[-1]) is not list:
            raise self._refusal(f"Can only append to lists, but got {type(self.stack[-1])}")
        return self.stack[-1]

    def load_setitem(self) -> None:
        """Set an item of a dict; refuse other objects, since their classes could run code."""
        value, key = self.stack.pop(), self.stack.pop()
        self._dict()[key] = value

    def load_setitems(self) -> None:
        """Update a dict; refuse other objects, since their classes could run code."""
        items = self.pop_mark()
        self._dict().update(zip(items[::2], items[1::2], strict=True))

    def _dict(self) -> Any:
        if type(self.stack[-1]) not in (dict, OrderedDict, Counter, defaultdict):
            raise self._refusal(f"Can only set items of dicts, but got {type(self.stack[-1])}")
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
