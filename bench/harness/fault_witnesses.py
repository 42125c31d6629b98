"""Who meets a fault: the tests and the examples that execute its lines.

What the tests execute `make coverage` has noted, test by test (.cache/coverage), and of which sources. What the examples execute
on the engine is noted here, each in a process of its own; kept there too, for as long as engine and examples are the same.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from coverage import Coverage, CoverageData
from fault_families import Fault
from snippetcheck.engines import Engine, ReplacedModules
from snippetcheck.runner import containment
from snippetcheck.snippet import Snippet

from gradnotes.evidence.provenance import checksum

NOTED = Path(".cache") / "coverage"
STATE = "sources.txt"  # beside it: the checksum of what was measured
MEASURED = ("reference_impl", "harness/src", "gradnotes")
LONGEST = 20  # seconds of an example under coverage
QUICK = 0.5  # seconds of a test that is asked before all that take longer

_CLONE_NEWNS, _CLONE_NEWPID, _MS_REC, _MS_PRIVATE = 0x0002_0000, 0x2000_0000, 0x4000, 1 << 18
_libc = ctypes.CDLL(None, use_errno=True)


class Witnesses:
    """Which tests and examples execute which line, the quick ones first.

    Attributes:
        seconds: of each test by its node id, and of each example by its name.
    """

    def __init__(self, root: Path, engine: Engine, snippets: list[Snippet]):
        self.root = root
        noted = root / NOTED / STATE
        if not noted.exists() or noted.read_text() != checksum(MEASURED, root):
            raise SystemExit(
                f"{noted.parent}: what the tests execute is not noted of these sources\n    run `make coverage`"
            )
        self.seconds = _seconds_of_tests(root / NOTED)
        marker = "/reference_impl/__init__.py"
        measured = self._noted().measured_files()
        self.noted_below = next(file.removesuffix(marker) for file in measured if file.endswith(marker))
        self._lines: dict[str, dict[int, list[str]]] = {}
        self._all_lines: dict[str, set[int]] = {}
        self.examples: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for name, (seconds, lines) in _of_examples(root, engine, snippets).items():
            self.seconds[name] = seconds
            for file, numbers in lines.items():
                for number in numbers:
                    self.examples[file][number].append(name)

    def tests(self, fault: Fault) -> list[str]:
        """The tests that execute its lines; where only an import or a child process does, those of its file."""
        return self._who(fault, self._tests_of(fault.file))

    def snippets(self, fault: Fault) -> list[str]:
        """The examples that execute its lines; where only an import does, those of its file."""
        return self._who(fault, self.examples.get(fault.file, {}))

    def _who(self, fault: Fault, by_line: dict[int, list[str]]) -> list[str]:
        found = self._at(fault, by_line)
        if self._only_imported(fault, by_line):
            found = {name for names in by_line.values() for name in names}
        return self.quick_first(name for name in found if name in self.seconds)

    def only_imported(self, fault: Fault) -> bool:
        """Whether no test, but an import or a child process, executes its lines: such as fields of a class."""
        return self._only_imported(fault, self._tests_of(fault.file))

    def _only_imported(self, fault: Fault, by_line: dict[int, list[str]]) -> bool:
        importing = set(by_line[min(by_line)]) if by_line else set()
        executed = self._executed(fault.file).intersection(range(fault.lines[0], fault.lines[1] + 1))
        return bool(executed) and self._at(fault, by_line) <= importing

    def _at(self, fault: Fault, by_line: dict[int, list[str]]) -> set[str]:
        return {name for number in range(fault.lines[0], fault.lines[1] + 1) for name in by_line.get(number, ())}

    def quick_first(self, names: Iterable[str]) -> list[str]:
        """Of those that take no time the quickest of each file, then the second of each; then the others, as long as they take."""
        by_file: dict[str, list[str]] = defaultdict(list)
        for name in sorted(names, key=lambda one: (self.seconds[one], one)):
            by_file[name.partition("::")[0]].append(name)
        ranked = [(rank, self.seconds[name], name) for mine in by_file.values() for rank, name in enumerate(mine)]
        return [name for *_, name in sorted((s > QUICK, s if s > QUICK else rank, s, name) for rank, s, name in ranked)]

    def _noted(self) -> CoverageData:
        """Opened anew: after a fork, one that is open would write over its file."""
        data = CoverageData(str(self.root / NOTED / "data"))
        data.read()
        return data

    def _executed(self, file: str) -> set[int]:
        """The lines that anything executes: at an import too, and in a child process."""
        if file not in self._all_lines:
            self._all_lines[file] = set(self._noted().lines(f"{self.noted_below}/{file}") or ())
        return self._all_lines[file]

    def _tests_of(self, file: str) -> dict[int, list[str]]:
        if file not in self._lines:
            found = self._noted().contexts_by_lineno(f"{self.noted_below}/{file}")
            self._lines[file] = {
                number: [name for name in {one.partition("|")[0] for one in contexts} if "::" in name]
                for number, contexts in found.items()
            }
        return self._lines[file]


def _seconds_of_tests(folder: Path) -> dict[str, float]:
    """By node id, from the reports that pytest has written beside the coverage."""
    found = {}
    for report in sorted(folder.glob("*.xml")):
        for case in ElementTree.parse(report).iter("testcase"):
            if case.find("skipped") is None:  # some are red under coverage.py only
                file, module = case.get("file", ""), case.get("classname", "")
                inside = module.removeprefix(file.removesuffix(".py").replace("/", ".")).replace(".", "::")
                found[f"{file}{inside}::{case.get('name')}"] = float(case.get("time", 0))
    return {name: seconds for name, seconds in found.items() if not name.startswith("snippets/")}


Executed = dict[str, tuple[float, dict[str, list[int]]]]  # by example: seconds, and the lines by file


def _of_examples(root: Path, engine: Engine, snippets: list[Snippet]) -> Executed:
    kept = root / NOTED / "examples.json"
    state = checksum(("reference_impl", "snippets"), root)
    if kept.exists():
        known = json.loads(kept.read_text())
        if known["state"] == state:
            return known["examples"]
    found = in_fork(lambda: _execute_all(root, engine, snippets), 900)
    assert isinstance(found, dict), "the examples could not be executed"
    kept.write_text(json.dumps({"state": state, "examples": found}))
    return found


def _execute_all(root: Path, engine: Engine, snippets: list[Snippet]) -> Executed:
    """In a process that has imported the engine: each example in a fork of it."""
    sys.path[:0] = [str(root)]
    sys.meta_path.insert(0, ReplacedModules(engine.replace))
    for name in [name for name in sys.modules if name.partition(".")[0] in engine.replace]:
        del sys.modules[name]
    for name in (*engine.preload, *engine.replace):
        __import__(name)
    found = {}
    for snippet in snippets:
        began = time.perf_counter()
        with contextlib.suppress(TimeoutError):
            lines = in_fork(lambda snippet=snippet: _execute(root, snippet), LONGEST)
            if isinstance(lines, dict):
                found[snippet.name] = (time.perf_counter() - began, lines)
    return found


def _execute(root: Path, snippet: Snippet) -> dict[str, list[int]]:
    """The lines of the engine that an example executes."""
    coverage = Coverage(data_file=None, source=[str(root / "reference_impl")], config_file=False, messages=False)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        coverage.start()
        try:
            exec(compile(snippet.text, str(snippet.path), "exec"), {"__name__": "__main__"})
        except BaseException:  # as it may say itself
            pass
        coverage.stop()
        os.chdir("/")
    data = coverage.get_data()
    return {os.path.relpath(file, root): sorted(data.lines(file) or ()) for file in data.measured_files()}


def in_fork(work: Callable[[], object], seconds: float) -> Any:
    """What `work` returns in a process of its own; None if it ends otherwise. Raises TimeoutError if that takes longer.

    Whatever it has started ends with it, in other sessions too, and it can send no signal to anything else.
    """
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            os.close(out)
            containment.die_with_parent()
            _alone(lambda: _answer(work, into))
        finally:
            os._exit(0)
    os.close(into)
    deadline, answer, is_open = time.monotonic() + seconds, b"", True
    while is_open and (left := deadline - time.monotonic()) > 0 and not answer.endswith(b"\0"):
        if select.select([out], [], [], left)[0]:
            piece = os.read(out, 1 << 20)
            answer, is_open = answer + piece, bool(piece)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)  # if it has no group of its own yet
    os.waitpid(pid, 0)
    os.close(out)
    if answer.endswith(b"\0"):
        return json.loads(answer[:-1])
    if is_open:
        raise TimeoutError(f"not done after {seconds:g} s")
    return None


def _answer(work: Callable[[], object], into: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    answer = json.dumps(work()).encode() + b"\0"
    with os.fdopen(into, "wb") as stream:
        stream.write(answer)


def _alone(work: Callable[[], object]) -> None:
    """Let a process do it that has process ids of its own. When the first of these ends, the kernel ends all others."""
    if _libc.unshare(_CLONE_NEWNS | _CLONE_NEWPID) != 0:
        work()  # only root may
        return
    first = os.fork()
    if first:
        os.waitpid(first, 0)
        return
    containment.die_with_parent()
    _libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    _libc.mount(b"proc", b"/proc", b"proc", 0, None)
    worker = os.fork()
    if worker == 0:
        try:
            os.setsid()
            work()
        finally:
            os._exit(0)
    while os.waitpid(-1, 0)[0] != worker:  # orphans too
        pass
    os._exit(0)


if __name__ == "__main__":  # as `make coverage` begins
    here = Path(__file__).resolve().parents[2]
    (here / NOTED).mkdir(parents=True, exist_ok=True)
    (here / NOTED / STATE).write_text(checksum(MEASURED, here))
