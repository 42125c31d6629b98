"""A program sees the modules that its engine declares and those that it imports, whatever else its server has loaded.

The server loads the engine, what the harness needs, and what programs before have asked for. `Loads` notes from the
first line of the server on which import asks for which others. `Unseen` takes all but the engine out of `sys.modules`,
and gives a module back when the program imports it, together with what its import loads. So no program can tell by
`sys.modules` or by the attributes of a package what others have imported before it.

What an import does besides is done: it has read the environment, registered itself, filtered warnings. The engine stays
seen, since to give back a thousand modules takes a child some milliseconds: each has its reference count in a page of
memory that is copied then.

This module is the first of the harness that a server imports: it asks only for what every interpreter has loaded.
"""

from __future__ import annotations

import builtins
import sys
from _frozen_importlib import ModuleSpec  # importlib.machinery would load others

TYPE_CHECKING = False  # as in typing, which is not to be loaded
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from types import ModuleType
    from typing import Any

_SEEN = ("warnings",)  # the interpreter itself asks for it, and shows a warning otherwise where it is not loaded


class Loads:
    """Which modules this process loads, in order, and what the import of each asks for.

    `at_start` are the names that a new interpreter has loaded. Use it as a context around imports.
    """

    def __init__(self, at_start: Iterable[str]):
        self.at_start = frozenset(at_start)
        self.needs: dict[
            str, dict[str, None]
        ] = {}  # module -> the names that its import asks for, as the keys of a dict
        self.begun: dict[str, int] = {}  # module -> when its import began
        self.over: dict[str, int] = {}  # and ended
        self._clock = 0
        self._loading: list[str] = []  # the modules that are being imported, each by the one before it

    def __enter__(self) -> Loads:
        bootstrap: Any = sys.modules["_frozen_importlib"]
        self._bootstrap = bootstrap
        self._import, self._load = builtins.__import__, bootstrap._find_and_load
        builtins.__import__, bootstrap._find_and_load = self._noting_import, self._noting_load
        return self

    def __exit__(self, *error: object) -> None:
        builtins.__import__, self._bootstrap._find_and_load = self._import, self._load
        self._note_others()

    def _ask(self, name: str) -> None:
        if self._loading:
            self.needs[self._loading[-1]][name] = None

    def _noting_import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        module = self._import(name, globals, locals, fromlist, level)
        if self._loading:
            if level:
                name = self._bootstrap._resolve_name(name, self._bootstrap._calc___package__(globals), level)
            self._ask(name)
            for part in fromlist or ():
                if f"{name}.{part}" in sys.modules:
                    self._ask(f"{name}.{part}")
        return module

    def _noting_load(self, name: str, import_: Callable[[str], ModuleType]) -> ModuleType:
        """Stands in for `_find_and_load`, which is called for each module that is not there, and by `import_module`."""
        parent = name.rpartition(".")[0]
        if parent and parent not in sys.modules:
            import_(parent)
        self._ask(name)
        if name in sys.modules:
            return self._load(name, import_)
        self._clock += 1
        self.begun[name] = self._clock
        self.needs[name] = {parent: None} if parent else {}
        self._loading.append(name)
        try:
            return self._load(name, import_)
        finally:
            self._loading.pop()
            self._clock += 1
            self.over[name] = self._clock

    def _note_others(self) -> None:
        """What a module puts into `sys.modules` itself goes with its package, or with the one before it."""
        before = None
        for name in list(sys.modules):
            if name not in self.needs and name not in self.at_start:
                parent = name.rpartition(".")[0]
                owner = parent if parent in self.needs else before
                self.needs[name], self.begun[name], self.over[name] = {}, 0, 0
                if owner:
                    self.needs[owner][name] = None
            before = name if name in self.needs else before


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
        # Attributes of packages that only the import of a module after theirs has set.
        self.late = {name: pair for name in self.modules if (pair := self._late(name, loads))}
        self.asked: dict[str, None] = {}  # what is imported that is not there, as the keys of a dict
        self._specs: dict[int, Any] = {}
        self._seen_again: list[str] = []  # what was given back
        sys.meta_path.insert(0, self)
        self._take_out(self.modules)

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
        self._take_out(self._seen_again)
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
        self.asked[fullname] = None
        module = self.modules.get(fullname)
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
        together = self._together(spec.name, there)
        self._seen_again += together
        for name in together:
            if name != spec.name:
                there[name] = self.modules[name]
            if name in self.late:
                package, attribute = self.late[name]
                setattr(package, attribute, self.modules[name])
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It is imported: only its own spec, in whose place the import system has put ours, is put back."""
        spec = self._specs.pop(id(module), None)
        try:
            module.__spec__ = spec
        except AttributeError:
            pass  # then ours could not be put there either
