"""The modules that programs have imported: a server imports what several of them need once, before it forks.

BuildCache from run to run in a file of the project's cache, for the versions on which it was learned. When a module is
learned changes how long a program takes, and not what it sees: `snippetcheck.unseen` hides it until it is imported.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import ModuleType

SEVERAL = 2  # programs that need a module, before the server imports it for all that follow


class Learned:
    """Which programs need which modules; of each module `SEVERAL` programs are known at most.

    `file` may be None: then what is learned ends with the run. A file that cannot be read or written costs time only.
    """

    def __init__(self, file: Path | None, versions: Mapping[str, str]):
        self.file = file
        self.versions = dict(versions)
        self.needed_by = self._kept()
        self._ran: set[str] = set()

    def note(self, program: str, names: Iterable[str]) -> None:
        """A program has run, and imported these modules in this order."""
        self._ran.add(program)
        found = dict.fromkeys(names)
        for name, programs in self.needed_by.items():
            if program in programs and name not in found:
                programs.remove(program)
        for name in found:
            programs = self.needed_by.setdefault(name, [])
            if program not in programs and len(programs) < SEVERAL:
                programs.append(program)

    def needed(self) -> list[str]:
        """The modules that several programs need, in the order in which programs import them."""
        return [name for name, programs in self.needed_by.items() if len(programs) >= SEVERAL]

    def forget(self, name: str) -> None:
        """A module that could not be imported."""
        self.needed_by.pop(name, None)

    def save(self) -> None:
        """Write it down, with what other servers of the same engine have learned meanwhile."""
        if self.file is None or not self._ran:
            return
        for name, programs in self._kept().items():
            mine = self.needed_by.setdefault(name, [])
            mine += [one for one in programs if one not in mine and one not in self._ran][: SEVERAL - len(mine)]
        needed = {name: programs for name, programs in self.needed_by.items() if programs}
        with contextlib.suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.file.parent)
            with os.fdopen(handle, "w") as stream:
                json.dump({"versions": self.versions, "needed_by": needed}, stream, indent=1)
            os.replace(name, self.file)

    def _kept(self) -> dict[str, list[str]]:
        try:
            values = json.loads(self.file.read_bytes()) if self.file else {}
            if values["versions"] == self.versions:
                return {str(name): list(map(str, programs)) for name, programs in values["needed_by"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        return {}


def learnable(name: str, module: ModuleType, sources: Collection[str]) -> bool:
    """Whether a server may import this module ahead: installed, or source of the engine, on whose change it starts anew.

    A module of the project itself, or one that the program has written, is imported by each program as it is by then.
    """
    spec = getattr(module, "__spec__", None)
    if spec is None or spec.name != name:
        return False
    if spec.origin in ("built-in", "frozen"):
        return True
    installed = f"{spec.origin}".startswith((f"{sys.prefix}/", f"{sys.base_prefix}/"))
    return bool(spec.has_location) and (installed or name.partition(".")[0] in sources)
