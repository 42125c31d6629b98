"""Read a pickle without running code from it.

A pickle is a program for a stack machine. The stack machine of this module builds numbers, strings, lists, tuples, dicts and sets. It
calls only functions in `SAFE_GLOBALS`, and sets the state only of ordered dicts. For any other instruction it raises UnpicklingError,
as torch/_weights_only_unpickler.py does.
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
    "checkpoint\033[0m. Load it with `weights_only=False`, which runs any code in the file; or, in PyTorch, allow {0} "
    "with `torch.serialization.add_safe_globals`."
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
"""The functions and classes that a file may name. `serialization` adds the functions that build tensors."""


def find_safe_global(module: str, name: str) -> Any:
    """Return the object that SAFE_GLOBALS has for `module.name`; None if the name is not known to be safe."""
    return SAFE_GLOBALS.get(f"{module}.{name}")


_InPython: Any = pickle._Unpickler  # unlike in the class in C, the methods for instructions can be replaced


class Unpickler(_InPython):
    """Read an object from a pickle without running code from it.

    Args:
        persistent_load: function that returns the storage for an id in the pickle. The storages are not in the pickle itself.

    Raises:
        pickle.UnpicklingError: the pickle has an unknown name or a forbidden instruction, or is not a pickle.
    """

    def __init__(self, file: Any, persistent_load: Callable[[Any], Any]) -> None:
        super().__init__(file, encoding="utf-8")
        self.persistent_load = persistent_load

    def load(self) -> Any:
        """Return the object in the pickle. Raise UnpicklingError, RuntimeError or EOFError if the file is damaged or unsafe."""
        try:
            return super().load()
        except (pickle.UnpicklingError, RuntimeError, EOFError):
            raise
        except KeyError as error:
            raise self._refusal(f"instruction {error}") from error
        except Exception as error:  # a damaged file can raise any error
            raise self._refusal(f"{type(error).__name__}: {error}") from error

    @staticmethod
    def _refusal(reason: str) -> pickle.UnpicklingError:
        return pickle.UnpicklingError(
            f"{_FAILED}The file is damaged, or has content that no checkpoint needs: {reason}"
        )

    def find_class(self, module: str, name: str) -> Any:
        """Return the object that SAFE_GLOBALS has for `module.name`. Raise UnpicklingError if there is none."""
        value = find_safe_global(module, name)
        if value is None:
            raise pickle.UnpicklingError(_UNSAFE.format(f"{module}.{name}".removeprefix("builtins.")))
        return value

    def load_reduce(self) -> None:
        """Call the function on the stack with the arguments on the stack. Raise UnpicklingError unless SAFE_GLOBALS has the function."""
        arguments = self.stack.pop()
        function = self.stack[-1]
        if not any(function is known for known in SAFE_GLOBALS.values()):
            raise self._refusal(f"call of {function}")
        self.stack[-1] = function(*arguments)

    def load_newobj(self) -> None:
        """Create an object of the class on the stack without `__init__`. Raise UnpicklingError unless SAFE_GLOBALS has the class."""
        arguments = self.stack.pop()
        cls = self.stack.pop()
        if not (isinstance(cls, type) and any(cls is known for known in SAFE_GLOBALS.values())):
            raise self._refusal(f"object of {cls}")
        self.append(cls.__new__(cls, *arguments))

    def load_build(self) -> None:
        """Set the state of an ordered dict. Raise UnpicklingError for another object, because its class could run code."""
        state = self.stack.pop()
        target = self.stack[-1]
        if type(target) is not OrderedDict:
            raise self._refusal(f"state of an object of {type(target)}")
        target.__dict__.update(state)

    def load_append(self) -> None:
        """Append to a list. Raise UnpicklingError for another object, because its class could run code."""
        value = self.stack.pop()
        self._list().append(value)

    def load_appends(self) -> None:
        """Extend a list. Raise UnpicklingError for another object, because its class could run code."""
        values = self.pop_mark()
        self._list().extend(values)

    def _list(self) -> list[Any]:
        if type(self.stack[-1]) is not list:
            raise self._refusal(f"Can only append to lists, but got {type(self.stack[-1])}")
        return self.stack[-1]

    def load_setitem(self) -> None:
        """Set an item of a dict. Raise UnpicklingError for another object, because its class could run code."""
        value, key = self.stack.pop(), self.stack.pop()
        self._dict()[key] = value

    def load_setitems(self) -> None:
        """Set items of a dict. Raise UnpicklingError for another object, because its class could run code."""
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
