"""Find the tests and examples that execute the lines of a fault.

`make coverage` records in .cache/coverage which lines each test executes, and a checksum of the sources. This module runs each example
on reference_impl in a separate process, records its lines, and caches them in the same folder until the engine or an example changes.
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
from snippetcheck.engines import Engine, ReplacedModules
from snippetcheck.runner import containment
from snippetcheck.snippet import Snippet

from bench.mutation.families import Fault
from gradnotes.evidence.provenance import checksum

RECORD_FOLDER = Path(".cache") / "coverage"
STATE = "sources.txt"  # file in RECORD_FOLDER with the checksum of the measured sources
MEASURED = ("reference_impl", "harness/src", "gradnotes")
LONGEST = 20  # time limit of an example under coverage, in seconds
QUICK = 0.5  # seconds; tests that take less run first
# Tests that start processes take this many times as long under coverage.py: the quotient of the total durations of each folder.
SLOWED_DOWN = {"harness/tests/": 8, "tests/site/": 4}

_CLONE_NEWNS, _CLONE_NEWPID, _MS_REC, _MS_PRIVATE = 0x0002_0000, 0x2000_0000, 0x4000, 1 << 18
_libc = ctypes.CDLL(None, use_errno=True)


class Witnesses:
    """An index of the lines that each test and each example executes. It names quick tests and examples first.

    Creating it raises SystemExit if there is no coverage of the current sources.

    Attributes:
        seconds: duration of each test by its node id, and of each example by its name.
    """

    def __init__(self, root: Path, engine: Engine, snippets: list[Snippet]):
        self.root = root
        state_file = root / RECORD_FOLDER / STATE
        if not state_file.exists() or state_file.read_text() != checksum(MEASURED, root):
            raise SystemExit(f"{state_file.parent}: no coverage of the current sources\n    run `make coverage`")
        self.seconds = _seconds_of_tests(root / RECORD_FOLDER)
        marker = "/reference_impl/__init__.py"
        measured_files = self._read_coverage().measured_files()
        self.measured_root = next(file.removesuffix(marker) for file in measured_files if file.endswith(marker))
        self._lines: dict[str, dict[int, list[str]]] = {}
        self._executed_lines: dict[str, set[int]] = {}
        self.examples: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for name, (seconds, lines) in _load_examples(root, engine, snippets).items():
            self.seconds[name] = seconds
            for file, numbers in lines.items():
                for number in numbers:
                    self.examples[file][number].append(name)

    def tests(self, fault: Fault) -> list[str]:
        """Return the tests that execute the fault's lines.

        If only imports or child processes execute these lines, return the tests that execute any line of the file.
        """
        return self._names_for(fault, self._tests_of(fault.file))

    def snippets(self, fault: Fault) -> list[str]:
        """Return the examples that execute the fault's lines.

        If only imports execute these lines, return the examples that execute any line of the file.
        """
        return self._names_for(fault, self.examples.get(fault.file, {}))

    def _names_for(self, fault: Fault, names_by_line: dict[int, list[str]]) -> list[str]:
        names = self._names_at(fault, names_by_line)
        if self._is_only_imported(fault, names_by_line):
            names = {name for names in names_by_line.values() for name in names}
        return self.quick_first(name for name in names if name in self.seconds)

    def is_only_imported(self, fault: Fault) -> bool:
        """Return whether only imports or child processes execute the fault's lines. The fields of a class run at import."""
        return self._is_only_imported(fault, self._tests_of(fault.file))

    def _is_only_imported(self, fault: Fault, names_by_line: dict[int, list[str]]) -> bool:
        importing_names = set(names_by_line[min(names_by_line)]) if names_by_line else set()
        executed_lines = self._lines_executed(fault.file).intersection(range(fault.lines[0], fault.lines[1] + 1))
        return bool(executed_lines) and self._names_at(fault, names_by_line) <= importing_names

    def _names_at(self, fault: Fault, names_by_line: dict[int, list[str]]) -> set[str]:
        return {name for number in range(fault.lines[0], fault.lines[1] + 1) for name in names_by_line.get(number, ())}

    def quick_first(self, names: Iterable[str]) -> list[str]:
        """Sort the names of tests and examples.

        Those that take up to `QUICK` seconds come first, taken from each file in turn. The slower ones follow, by duration.
        """
        names_by_file: dict[str, list[str]] = defaultdict(list)
        for name in sorted(names, key=lambda name: (self.seconds[name], name)):
            names_by_file[name.partition("::")[0]].append(name)
        ranks = [
            (rank, self.seconds[name], name)
            for names_of_file in names_by_file.values()
            for rank, name in enumerate(names_of_file)
        ]
        return [name for *_, name in sorted((s > QUICK, s if s > QUICK else rank, s, name) for rank, s, name in ranks)]

    def _read_coverage(self) -> CoverageData:
        """Read the coverage database from its file. Do not share it between forks: an open database would overwrite the file."""
        data = CoverageData(str(self.root / RECORD_FOLDER / "data"))
        data.read()
        return data

    def _lines_executed(self, file: str) -> set[int]:
        """Return the numbers of the lines of `file` that a test, an import or a child process executes."""
        if file not in self._executed_lines:
            self._executed_lines[file] = set(self._read_coverage().lines(f"{self.measured_root}/{file}") or ())
        return self._executed_lines[file]

    def _tests_of(self, file: str) -> dict[int, list[str]]:
        if file not in self._lines:
            contexts_by_line = self._read_coverage().contexts_by_lineno(f"{self.measured_root}/{file}")
            self._lines[file] = {
                number: [name for name in {context.partition("|")[0] for context in contexts} if "::" in name]
                for number, contexts in contexts_by_line.items()
            }
        return self._lines[file]


def _seconds_of_tests(folder: Path) -> dict[str, float]:
    """Return the duration of each test without coverage.py, in seconds, estimated from the JUnit reports in `folder`."""
    seconds_by_test = {}
    for report in sorted(folder.glob("*.xml")):
        for case in ElementTree.parse(report).iter("testcase"):
            if case.find("skipped") is None:  # a failed test counts too, because some fail only under coverage.py
                file, module = case.get("file", ""), case.get("classname", "")
                scope = module.removeprefix(file.removesuffix(".py").replace("/", ".")).replace(".", "::")
                factor = next((factor for prefix, factor in SLOWED_DOWN.items() if file.startswith(prefix)), 1)
                seconds_by_test[f"{file}{scope}::{case.get('name')}"] = float(case.get("time", 0)) / factor
    return {name: seconds for name, seconds in seconds_by_test.items() if not name.startswith("snippets/")}


Executions = dict[str, tuple[float, dict[str, list[int]]]]  # by example: seconds, and lines by file


def _load_examples(root: Path, engine: Engine, snippets: list[Snippet]) -> Executions:
    cache_file = root / RECORD_FOLDER / "examples.json"
    state = checksum(("reference_impl", "snippets"), root)
    if cache_file.exists():
        cache = json.loads(cache_file.read_text())
        if cache["state"] == state:
            return cache["examples"]
    examples = in_fork(lambda: _execute_all(root, engine, snippets), 900)
    assert isinstance(examples, dict), "the examples could not be executed"
    cache_file.write_text(json.dumps({"state": state, "examples": examples}))
    return examples


def _execute_all(root: Path, engine: Engine, snippets: list[Snippet]) -> Executions:
    """Import the engine, then run each example in a fork of this process. Return durations and executed lines by example.

    Examples that exceed the time limit `LONGEST` are left out.
    """
    sys.path[:0] = [str(root)]
    sys.meta_path.insert(0, ReplacedModules(engine.replace))
    for name in [name for name in sys.modules if name.partition(".")[0] in engine.replace]:
        del sys.modules[name]
    for name in (*engine.preload, *engine.replace):
        __import__(name)
    examples = {}
    for snippet in snippets:
        start = time.perf_counter()
        with contextlib.suppress(TimeoutError):
            lines = in_fork(lambda snippet=snippet: _execute(root, snippet), LONGEST)
            if isinstance(lines, dict):
                examples[snippet.name] = (time.perf_counter() - start, lines)
    return examples


def _execute(root: Path, snippet: Snippet) -> dict[str, list[int]]:
    """Run an example, and return the numbers of the lines that it executes by file of the engine."""
    coverage = Coverage(data_file=None, source=[str(root / "reference_impl")], config_file=False, messages=False)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        coverage.start()
        try:
            exec(compile(snippet.text, str(snippet.path), "exec"), {"__name__": "__main__"})
        except BaseException:  # examples may raise
            pass
        coverage.stop()
        os.chdir("/")
    data = coverage.get_data()
    return {os.path.relpath(file, root): sorted(data.lines(file) or ()) for file in data.measured_files()}


def in_fork(work: Callable[[], object], seconds: float) -> Any:
    """Run `work` in a child process, without its output, and return its result, which must be valid JSON.

    Return None if the process ends without a result, for example because `work` raises.

    If this process may create a PID namespace, all processes that `work` starts are killed when the child process ends, and cannot send
    signals to other processes. Otherwise only the processes of its group are killed.

    Raises:
        TimeoutError: `work` did not return within `seconds`.
    """
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            os.close(read_end)
            containment.die_with_parent()
            _run_isolated(lambda: _send_result(work, write_end))
        finally:
            os._exit(0)
    os.close(write_end)
    deadline, answer, is_open = time.monotonic() + seconds, b"", True
    while is_open and (seconds_left := deadline - time.monotonic()) > 0 and not answer.endswith(b"\0"):
        if select.select([read_end], [], [], seconds_left)[0]:
            piece = os.read(read_end, 1 << 20)
            answer, is_open = answer + piece, bool(piece)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)  # the child may not have called `setsid` yet
    os.waitpid(pid, 0)
    os.close(read_end)
    if answer.endswith(b"\0"):
        return json.loads(answer[:-1])
    if is_open:
        raise TimeoutError(f"the child process did not end within {seconds:g} s")
    return None


def _send_result(work: Callable[[], object], write_end: int) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    answer = json.dumps(work()).encode() + b"\0"
    with os.fdopen(write_end, "wb") as stream:
        stream.write(answer)


def _run_isolated(work: Callable[[], object]) -> None:
    """Run `work` in a new PID namespace, or without a namespace if this process may not create one: usually only root may.

    When the first process of the namespace ends, the kernel kills all others in it.
    """
    if _libc.unshare(_CLONE_NEWNS | _CLONE_NEWPID) != 0:
        work()
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
    while os.waitpid(-1, 0)[0] != worker:  # reaps orphans too
        pass
    os._exit(0)


if __name__ == "__main__":  # the first step of `make coverage`
    project_root = Path(__file__).resolve().parents[2]
    (project_root / RECORD_FOLDER).mkdir(parents=True, exist_ok=True)
    (project_root / RECORD_FOLDER / STATE).write_text(checksum(MEASURED, project_root))
