"""A program sees the modules that its engine declares and those that it imports, whatever else its server has loaded.

The server loads the engine, what the harness needs, and what programs before have asked for. `Unseen` takes all but the
engine out of `sys.modules`, and gives a module back when the program imports it, together with what its import loads. So
no program can tell by `sys.modules` or by the attributes of a package what others have imported before it.

What an import does besides is done: it has read the environment, registered itself, filtered warnings.

To give back a thousand modules one by one takes a child 16 ms: each has its reference count in a page of memory of its
own, which is copied then. So of a large package the server makes, before it forks, the dictionary that `sys.modules` is
after its import, and the child exchanges what the two dictionaries hold, which touches neither modules nor names.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Collection, Iterable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NamedTuple

from snippetcheck.modules import Loads

_SEEN = ("warnings",)  # the interpreter itself asks for it, and shows a warning otherwise where it is not loaded
_LARGE = 50  # modules that an import brings, for it to be worth a dictionary of its own


class _Prepared(NamedTuple):
    names: list[str]  # of the modules that an import brings
    modules: dict[str, ModuleType]  # what `sys.modules` is after it
    late: list[tuple[ModuleType, str, ModuleType]]  # the attributes of packages that it sets


class Unseen:
    """What is loaded and not to be seen, and the finder and loader of it: taken out in the server, before it forks.

    `seen`: modules that all programs see, with what comes with them. `own`: what the engine and the harness have loaded.
    """

    def __init__(self, loads: Loads, seen: Iterable[str], own: Collection[str]):
        self.own = own
        self.modules = {n: m for n, m in sys.modules.items() if n in loads.needs and m is not None}
        self.needs = loads.needs
        for one in {one for name in (*seen, *_SEEN) for one in self._together(name, ())}:
            del self.modules[one]
        together = {name: self._together(name, ()) for name in self.modules if "." not in name}
        # Attributes of packages that only the import of a module after theirs has set. Nobody gets hold of a package without
        # what its top-level package brings.
        apart = (name for name in self.modules if name not in together.get(name.partition(".")[0], ()))
        self.late = {name: pair for name in apart if (pair := self._late(name, loads))}
        self.asked: dict[
            str, bool
        ] = {}  # what is imported that is not there, and whether a module of the server asks for it
        self._specs: dict[int, Any] = {}
        self._seen_again: list[Collection[str]] = []  # what was given back
        sys.meta_path.insert(0, self)
        self._take_out(self.modules)
        self._before = dict(sys.modules)
        large = {name: names for name, names in together.items() if len(names) >= _LARGE and _may_exchange()}
        self._large = {name: self._prepared(names) for name, names in large.items()}

    def _prepared(self, names: list[str]) -> _Prepared:
        late = [(*self.late[name], self.modules[name]) for name in names if name in self.late]
        return _Prepared(names, {**self._before, **{name: self.modules[name] for name in names}}, late)

    def _late(self, name: str, loads: Loads) -> tuple[ModuleType, str] | None:
        parent, _, attribute = name.rpartition(".")
        package = sys.modules.get(parent)
        is_late = parent in loads.at_start or loads.begun[name] > loads.over.get(parent, 0)
        if package is None or not is_late or vars(package).get(attribute) is not self.modules[name]:
            return None
        return package, attribute

    def _together(self, name: str, there: Collection[str]) -> list[str]:
        """The modules that the import of `name` loads, without those that are `there`; itself included."""
        found: dict[str, None] = {}
        todo = [name]
        while todo:
            one = todo.pop()
            if one in self.modules and one not in found and one not in there:
                found[one] = None
                todo += self.needs[one]
        return list(found)

    def hide_again(self) -> None:
        """Take out what the harness itself has imported since, and only that: to touch a module copies its page in a child."""
        for names in self._seen_again:
            self._take_out(names)
        self._seen_again.clear()
        self.asked.clear()

    def _take_out(self, names: Iterable[str]) -> None:
        for name in names:
            sys.modules.pop(name, None)
            if name in self.late:
                package, attribute = self.late[name]
                vars(package).pop(attribute, None)

    def end(self) -> None:
        """Put everything back, for the server to import more."""
        sys.meta_path.remove(self)
        sys.modules.update(self.modules)
        for name, (package, attribute) in self.late.items():
            setattr(package, attribute, self.modules[name])

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec for a module that is loaded and not seen."""
        module = self.modules.get(fullname)
        self.asked[fullname] = module is None and _asker() in self.needs
        if module is None:
            return None
        own = getattr(module, "__spec__", None)
        spec = ModuleSpec(fullname, self, origin=getattr(own, "origin", None))  # type: ignore[arg-type]
        spec.submodule_search_locations = getattr(own, "submodule_search_locations", None)
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module itself; what came with it is seen from now on too."""
        module, there = self.modules[spec.name], sys.modules
        self._specs[id(module)] = getattr(module, "__spec__", None)
        if spec.name in self._large and self._exchanged(self._large.pop(spec.name)):
            return module
        together = self._together(spec.name, there)
        self._seen_again.append(together)
        for name in together:
            if name != spec.name:
                there[name] = self.modules[name]
            if name in self.late:
                package, attribute = self.late[name]
                setattr(package, attribute, self.modules[name])
        return module

    def _exchanged(self, prepared: _Prepared) -> bool:
        """Give back a large package at once; False if the program has changed what was there, so that it is not to be had so."""
        there = sys.modules
        more = {name: module for name, module in there.items() if self._before.get(name) is not module}
        if len(there) - len(more.keys() - self._before.keys()) != len(self._before):
            return False
        if any(
            name in prepared.modules and prepared.modules[name] is not module
            for name, module in more.items()
            if name != "__main__"
        ):
            return False
        _exchange(there, prepared.modules)
        there.update(more)
        for package, attribute, module in prepared.late:
            setattr(package, attribute, module)
        self._seen_again.append(prepared.names)
        return True

    def exec_module(self, module: ModuleType) -> None:
        """It is imported: only its own spec, in whose place the import system has put ours, is put back."""
        spec = self._specs.pop(id(module), None)
        try:
            module.__spec__ = spec
        except AttributeError:
            pass  # then ours could not be put there either


def _asker() -> str:
    """The module whose code has begun the import that is going on; if one goes on within another, the outermost."""
    frame, asker = sys._getframe(1), None
    while frame is not None:
        by = frame.f_globals.get("__name__")  # code that was made may have none
        is_system = frame.f_code.co_filename.startswith("<frozen importlib") or by == "importlib"
        asker, frame = (frame.f_back if is_system else asker), frame.f_back  # type: ignore[assignment]
    return asker.f_globals.get("__name__", "") if asker else ""


def _exchange(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Let two dictionaries hold what the other has held, without a look at it: all that their objects have behind their heads."""
    size = dict.__basicsize__ - object.__basicsize__
    first, second = ((ctypes.c_char * size).from_address(id(each) + object.__basicsize__) for each in (one, other))
    first.raw, second.raw = second.raw, first.raw


def _may_exchange() -> bool:
    """Whether this Python is one whose dictionaries can be exchanged so; else modules are given back one by one.

    In CPython up to 3.14 an object of `dict` is a head, the number of its items, a tag and two pointers, of which none points
    back to it. Without the lock of the interpreter others might look while it is done.
    """
    words = (dict.__basicsize__ - object.__basicsize__) / ctypes.sizeof(ctypes.c_void_p)
    is_locked = "t" not in sys.abiflags
    return sys.implementation.name == "cpython" and (3, 11) <= sys.version_info < (3, 15) and is_locked and words == 4
