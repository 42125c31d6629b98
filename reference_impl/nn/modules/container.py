"""Modules that contain other modules or parameters: Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from reference_impl._tensor import Tensor
from reference_impl.nn.modules.module import Module, _indent
from reference_impl.nn.parameter import Parameter


def _position(index: Any, size: int) -> int:
    """Return `index`, which may be negative, as a position in [0, size).

    Raises:
        IndexError: there is no such position.
    """
    position = operator.index(index)
    if not -size <= position < size:
        raise IndexError(f"index {position} is out of range")
    return position % size


class _List(Module):
    """Base of the lists. `dir` does not list the names "0", "1", ... of their items."""

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def _at(self, index: Any) -> str:
        """Return the name of the item at position `index`, see `_position`."""
        return str(_position(index, len(self)))  # type: ignore[arg-type]


class _Numbered(_List):
    """Base of Sequential and ModuleList. Their modules have the names "0", "1", ..., unless an OrderedDict gives other names.

    Deleting a module gives all others the names "0", "1", ...
    """

    def __setitem__(self, idx: Any, module: Module) -> None:
        setattr(self, self._at(idx), module)

    def __delitem__(self, idx: Any) -> None:
        for name in [self._at(i) for i in (range(len(self))[idx] if isinstance(idx, slice) else [idx])]:
            delattr(self, name)
        self._modules = OrderedDict((str(i), m) for i, m in enumerate(self._modules.values()))

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def append(self, module: Module) -> Any:
        """Add a module at the end, and return this container."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key: Any) -> Any:
        """Remove the item at `key` and return it."""
        value = self[key]  # type: ignore[index]
        del self[key]
        return value

    def _insert(self, index: int, module: Module) -> None:
        for i in range(len(self), index, -1):
            self._modules[str(i)] = self._modules[str(i - 1)]
        self._modules[str(index)] = module


class Sequential(_Numbered):
    """A chain of modules: each receives the output of the previous module.

    Args:
        args: the modules, or an OrderedDict that maps names to modules.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], OrderedDict) else enumerate(args)
        for name, module in named:
            self.add_module(str(name) if isinstance(name, int) else name, module)

    def _at(self, index: Any) -> str:
        return list(self._modules)[_position(index, len(self))]

    def forward(self, input: Any) -> Any:
        """Apply the modules in order, and return the output of the last module."""
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return self._modules[self._at(idx)]

    def _check_other(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return other

    def __add__(self, other: Sequential) -> Sequential:
        return Sequential(*self, *self._check_other(other))

    def __iadd__(self, other: Sequential) -> Sequential:
        return self.extend(self._check_other(other))

    def __mul__(self, other: int) -> Sequential:
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")
        return Sequential(*list(self) * other)

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Sequential:
        return self.extend((self * other)[len(self) :])

    def insert(self, index: int, module: Module) -> Sequential:
        """Insert a module at position `index`, and return this container.

        Raises:
            AssertionError: `module` is not a module.
            IndexError: `index` is not in [-n, n], where n is the number of modules.
        """
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        n = len(self)
        if not -n <= index <= n:
            raise IndexError(f"Index out of range: {index}")
        self._insert(index % n if index < 0 else index, module)
        return self

    def extend(self, sequential: Iterable[Module]) -> Sequential:
        """Add modules at the end, and return this container."""
        for module in sequential:
            self.append(module)
        return self


class ModuleList(_Numbered):
    """A list of modules that registers them, so that their parameters are parameters of the parent. It has no `forward`."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        return self._modules[self._at(idx)]

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(chain(self, other))

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def insert(self, index: int, module: Module) -> None:
        """Insert a module before position `index`, which must not be negative."""
        self._insert(index, module)

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Add modules at the end, and return this list.

        Raises:
            TypeError: `modules` is not an iterable.
        """
        if not isinstance(modules, Iterable):
            raise TypeError("ModuleList.extend should be called with an iterable, but got " + type(modules).__name__)
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self) -> str:
        """Return the text that `print` shows. Consecutive modules with the same text share a line: `(0-2): 3 x ReLU()`."""
        if not len(self):
            return self._get_name() + "()"
        blocks: list[tuple[int, int, str]] = []
        for i, text in enumerate(repr(module) for module in self):
            if blocks and blocks[-1][2] == text:
                blocks[-1] = (blocks[-1][0], i, text)
            else:
                blocks.append((i, i, text))
        lines = [_indent(f"({a}): {text}" if a == b else f"({a}-{b}): {b - a + 1} x {text}") for a, b, text in blocks]
        return self._get_name() + "(\n  " + "\n  ".join(lines) + "\n)"


def _pairs(values: Any, name: str, method: str) -> Iterator[tuple[Any, Any]]:
    """Yield (key, value) from a mapping, in its order, or from an iterable of pairs.

    Args:
        name, method: the class and its method, for errors.

    Raises:
        TypeError: `values` or an item is not an iterable.
        ValueError: an item is not a pair.
    """
    if not isinstance(values, Iterable):
        raise TypeError(
            f"{method} should be called with an iterable of key/value pairs, but got {type(values).__name__}"
        )
    if isinstance(values, (Mapping, ModuleDict, ParameterDict)):
        values = values.items()
    for position, pair in enumerate(values):
        place = f"{name} update sequence element #{position}"
        if not isinstance(pair, Iterable):
            raise TypeError(f"{place} should be Iterable; is{type(pair).__name__}")
        if len(pair) != 2:  # type: ignore[arg-type]
            raise ValueError(f"{place} has length {len(pair)}; 2 is required")  # type: ignore[arg-type]
        yield pair[0], pair[1]  # type: ignore[index]


class ModuleDict(Module):
    """A dict of modules that registers them, so that their parameters are parameters of the parent. It has no `forward`."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Module:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Module:
        """Remove a module and return it."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        """Return the names of the modules."""
        return self._modules.keys()

    def items(self) -> Any:
        """Return (name, module) pairs."""
        return self._modules.items()

    def values(self) -> Any:
        """Return the modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add modules from a mapping or from (name, module) pairs.

        Raises:
            TypeError: `modules` or an item is not an iterable.
            ValueError: an item is not a pair.
        """
        for key, module in _pairs(modules, "ModuleDict", "ModuleDict.update"):
            self[key] = module


def _as_parameter(value: Any) -> Any:
    """Return a tensor as a Parameter, and other values unchanged."""
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _describe_value(name: Any, value: Any, type_name: Any) -> str:
    """Return a line of `repr` for a value in a ParameterList or ParameterDict. `type_name` is the dtype or the type of a tensor."""
    if not isinstance(value, Tensor):
        return f"  ({name}): Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    device = f" ({value.device})" if value.is_cuda else ""
    return f"  ({name}): {kind} containing: [{type_name} of size {'x'.join(map(str, value.shape))}{device}]"


class ParameterList(_List):
    """A list that registers its parameters. A tensor that is added becomes a Parameter; other values stay unchanged."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)().extend([self[i] for i in range(*idx.indices(len(self)))])
        return getattr(self, self._at(idx))

    def __setitem__(self, idx: int, param: Any) -> None:
        setattr(self, self._at(idx), _as_parameter(param))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(len(self))])

    def __iadd__(self, parameters: Iterable[Any]) -> ParameterList:
        return self.extend(parameters)

    def append(self, value: Any) -> ParameterList:
        """Add a value at the end, and return this list."""
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add values at the end, and return this list.

        Raises:
            TypeError: `values` is not an iterable, or is a tensor.
        """
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError("ParameterList.extend should be called with an iterable, but got " + type(values).__name__)
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """Return a line for each value, for `repr`."""
        return "\n".join([_describe_value(i, v, getattr(v, "dtype", None)) for i, v in enumerate(self)])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dict that registers its parameters. A tensor that is added becomes a Parameter; other values stay unchanged."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def _check_key(self, key: Any) -> str:
        if not isinstance(key, str):
            raise TypeError(
                f"Index given to ParameterDict cannot be used as a key as it is not a string (type is '{type(key).__name__}'). "
                "Open an issue on github if you need non-string keys."
            )
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._check_key(key))

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, self._check_key(key), _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._check_key(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of `key`, or `default` if there is none."""
        return self[key] if key in self else default

    def pop(self, key: str) -> Any:
        """Remove a value and return it."""
        value = self[key]
        del self[key]
        return value

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return the value of `key`. If there is none, add `default` before."""
        if key not in self:
            self[key] = default
        return self[key]

    def popitem(self) -> tuple[str, Any]:
        """Remove the (key, value) pair that was added last, and return it."""
        key, _ = self._keys.popitem()
        self._keys[key] = None
        return key, self.pop(key)

    def copy(self) -> ParameterDict:
        """Return another ParameterDict with the same values."""
        return ParameterDict(OrderedDict(self.items()))

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """Return a ParameterDict with `default` for each of `keys`."""
        return ParameterDict((key, default) for key in keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._keys)

    def __or__(self, other: Any) -> ParameterDict:
        union = self.copy()
        union.update(other)
        return union

    def __ror__(self, other: Any) -> ParameterDict:
        union = other.copy()
        union.update(self)
        return union

    def __ior__(self, other: Any) -> ParameterDict:
        self.update(other)
        return self

    def clear(self) -> None:
        """Remove all values."""
        for key in list(self._keys):
            del self[key]

    def keys(self) -> Any:
        """Return the keys."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return (key, value) pairs."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterable[Any]:
        """Return the values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add values from a mapping or from (key, value) pairs. Those of a mapping are sorted by their keys, unless it is an OrderedDict.

        Raises:
            TypeError: `parameters` or an item is not an iterable, or a key is not a string.
            ValueError: an item is not a pair.
        """
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            parameters = sorted(parameters.items())
        for key, value in _pairs(parameters, "ParameterDict", "ParametersDict.update"):
            self[key] = value

    def extra_repr(self) -> str:
        """Return a line for each value, for `repr`."""
        lines = [_describe_value(k, v, v.type() if isinstance(v, Tensor) else None) for k, v in self.items()]
        return "\n".join(lines)

    def __call__(self, input: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")
