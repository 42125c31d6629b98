"""The modules that programs have imported: a server imports what several of them need once, before it forks.

Kept from run to run in a file of the project's cache, for the versions on which it was learned. When a module is
learned changes how long a program takes, and not what it sees: `snippetcheck.unseen` hides it until it is imported.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import json
import os
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snippetcheck.snippet import Snippet

SEVERAL = 2  # programs that need a module, before the server imports it for all that follow
MANY = 50  # modules that a package imports when it is first used: the next program will use it, too


class Learned:
    """Which programs need which modules; of each module `SEVERAL` programs are known at most.

    `file` may be None: then what is learned ends with the run. A file that cannot be read or written costs time only.
    """

    def __init__(self, file: Path | None, versions: Mapping[str, str]):
        self.file = file
        self.versions = dict(versions)
        self.needed_by = self._kept("needed_by")
        self.refused = self._kept("refused")  # what each program has to import itself, as the keys of a dict
        self.brought = self._kept("brought")  # what one program is enough for, as a package brings it along, likewise
        self._refused_now: set[str] = set()  # in this run alone
        self.expected: list[str] = []  # what several programs name that have not run yet
        self._ran: set[str] = set()

    def note(self, program: str, found: Mapping[str, bool]) -> None:
        """A program has run, and these modules were imported in this order, some of them by packages that the server has."""
        self._ran.add(program)
        brought = [name for name, is_brought in found.items() if is_brought]
        self.brought.update({name: [] for name in brought if len(brought) >= MANY})
        for name, programs in self.needed_by.items():
            if program in programs and name not in found:
                programs.remove(program)
        for name in found:
            programs = self.needed_by.setdefault(name, [])
            if program not in programs and len(programs) < SEVERAL:
                programs.append(program)

    def needed(self) -> list[str]:
        """The modules that several programs need, in the order in which programs import them."""
        known = [
            name
            for name, programs in self.needed_by.items()
            if len(programs) >= SEVERAL or (programs and name in self.brought)
        ]
        return [
            name
            for name in dict.fromkeys([*known, *self.expected])
            if name not in self.refused and name not in self._refused_now
        ]

    def forget(self, name: str) -> None:
        """A module that could not be imported."""
        self.needed_by.pop(name, None)

    def refuse(self, name: str, is_for_good: bool) -> None:
        """A module whose import each program has to see: it prints, starts a thread, ends the process or does not end."""
        if is_for_good:
            self.refused[name] = []
        else:
            self._refused_now.add(name)

    def save(self) -> None:
        """Write it down, with what other servers of the same engine have learned meanwhile."""
        if self.file is None or not self._ran:
            return
        for name, programs in self._kept("needed_by").items():
            mine = self.needed_by.setdefault(name, [])
            mine += [one for one in programs if one not in mine and one not in self._ran][: SEVERAL - len(mine)]
        needed = {name: programs for name, programs in self.needed_by.items() if programs}
        with contextlib.suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.file.parent)
            with os.fdopen(handle, "w") as stream:
                values = {"needed_by": needed, "refused": self.refused, "brought": self.brought}
                json.dump({"versions": self.versions, **values}, stream, indent=1)
            os.replace(name, self.file)

    def _kept(self, key: str) -> dict[str, list[str]]:
        try:
            values = json.loads(self.file.read_bytes()) if self.file else {}
            if values["versions"] == self.versions:
                return {str(name): list(map(str, programs)) for name, programs in values[key].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        return {}


def named_by_several(snippets: Iterable[Snippet]) -> list[str]:
    """The modules that the import statements of several programs name, in the order in which they stand there."""
    counted: dict[str, int] = {}
    for snippet in snippets:
        lines = snippet.lines
        statements = ("\n".join(lines[one.first - 1 : one.last]) for one in snippet.statements)
        for name in dict.fromkeys(name for text in statements for name in _named(text)):
            counted[name] = counted.get(name, 0) + 1
    return [name for name, count in counted.items() if count >= SEVERAL]


@functools.cache
def _named(statement: str) -> tuple[str, ...]:
    if not statement.startswith(("import ", "from ")):
        return ()
    (node,) = ast.parse(statement).body
    if isinstance(node, ast.Import):
        return tuple(one.name for one in node.names)
    assert isinstance(node, ast.ImportFrom)
    return (node.module,) if node.module and not node.level and node.module != "__future__" else ()


def learnable(name: str, module: ModuleType, sources: Collection[str]) -> bool:
    """Whether a server may import this module ahead: installed, or source of the engine, on whose change it starts anew.

    A module of the project itself, or one that the program has written, is imported by each program as it is by then.
    """
    return is_lasting(name, getattr(module, "__spec__", None), sources)


def is_lasting(name: str, spec: ModuleSpec | None, sources: Collection[str]) -> bool:
    """Whether a module that is found so is the same for all programs of a run."""
    if spec is None or spec.name != name:
        return False
    if spec.origin in ("built-in", "frozen"):
        return True
    installed = f"{spec.origin}".startswith((f"{sys.prefix}/", f"{sys.base_prefix}/"))
    return bool(spec.has_location) and (installed or name.partition(".")[0] in sources)
