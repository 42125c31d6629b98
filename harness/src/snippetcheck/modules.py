"""Which modules a server loads, and which of them the import of each asks for: noted from the first line of the server on.

It is the first module of the harness that a server imports: it asks only for what every interpreter has loaded. What is
made of the notes is `snippetcheck.unseen`.
"""

from __future__ import annotations

import builtins
import sys

TYPE_CHECKING = False  # as in typing, which is not to be loaded
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import ModuleType
    from typing import Any


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
