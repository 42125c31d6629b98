"""Define the compared tools: their format, their installation and their command.

Each tool with a `package` has a virtual environment below ~/.cache/gradnotes-peers, which also sees the packages of this
project. The tool is installed there when it is first used.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import corpus
from corpus import Program

ROOT = Path(__file__).resolve().parents[2]
VENVS = Path.home() / ".cache" / "gradnotes-peers"

TIMEOUT = "10"  # time limit of a program in seconds, as an argument

SETTINGS = """\
[tool.snippetcheck.engines.torch]
preload = ["torch"]
reseed = ["torch.default_generator.seed", "numpy.random.seed"]
distributions = ["torch"]
"""

SYBIL = """\
from sybil import Sybil
from sybil.parsers.rest import DocTestParser

pytest_collect_file = Sybil(parsers=[DocTestParser()], patterns=["*.md"]).pytest()
"""

PYTEST_EXAMPLES = """\
import pytest
from pytest_examples import find_examples


@pytest.mark.parametrize("example", find_examples("."), ids=str)
def test_example(example, eval_example):
    eval_example.set_config(line_length=200, quotes="double")
    if eval_example.update_examples:
        eval_example.run_print_update(example)
    else:
        eval_example.run_print_check(example)
"""

MKTESTDOCS = """\
import pathlib
import pytest
from mktestdocs import check_md_file


@pytest.mark.parametrize("path", sorted(pathlib.Path(".").glob("*.md")), ids=str)
def test_page(path):
    check_md_file(fpath=path, memory=True)
"""

PHMDOCTEST = """\
[tool.phmdoctest]
markdown_globs = ["p*.md"]
exclude_globs = []
output_directory = "tests"
print = ["summary"]
"""


@dataclass(frozen=True)
class Tool:
    """A tool: its package, its file format and the commands that run it."""

    name: str
    package: str | None  # name for pip; None if this project includes or installs the tool
    suffix: str  # of the file of a program
    format_program: Callable[[Program], str]  # returns the text of the file
    arguments: tuple[str, ...]  # of pytest
    extra: tuple[tuple[str, str], ...] = ()  # (file, text) of additional files
    preparation: tuple[str, ...] = ()  # arguments of a Python command that runs before pytest
    update_arguments: tuple[str, ...] = ()  # pytest arguments that make the tool write the outputs; empty if it cannot
    timeout_arguments: tuple[
        str, ...
    ] = ()  # pytest arguments that end a program after `TIMEOUT` seconds; empty if impossible
    is_isolated: bool = False  # whether each program runs in a separate process
    is_slow: bool = False  # whether the tool takes seconds for each program
    folder: str = "."  # where the files of the programs are

    @property
    def python(self) -> Path:
        """Return the interpreter of the tool's environment."""
        return VENVS / self.name / "bin" / "python" if self.package else Path(sys.executable)

    def install(self) -> str:
        """Create the environment and install the tool if they are missing, and return the version of the tool.

        The version of doctest is that of pytest, the version of this harness is "this commit".
        """
        if self.package is None:
            return version("pytest", self.python) if self.name != "this harness" else "this commit"
        folder = VENVS / self.name
        if not self.python.exists():
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        site = next((folder / "lib").glob("python*/site-packages"))
        site_packages = next(path for path in sys.path if path.endswith("site-packages"))
        (site / "project.pth").write_text(
            f"{site_packages}\n"
        )  # each time: another checkout may have created the environment
        if not version(self.package, self.python):
            command = [sys.executable, "-m", "pip", "--python", self.python, "install", "-q", self.package]
            subprocess.run(command, check=True)
        return version(self.package, self.python)

    def write(self, programs: list[Program], folder: Path) -> None:
        """Write the programs, in the format of the tool, and the tool's additional files to `folder`."""
        (folder / self.folder).mkdir(parents=True, exist_ok=True)
        for program in programs:
            (folder / self.folder / f"{program.name}{self.suffix}").write_text(self.format_program(program))
        for name, text in self.extra:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)

    def update(self, folder: Path) -> None:
        """Run the tool in `folder` so that it writes the outputs into the files; do nothing if it cannot. Ignore its exit code."""
        if self.update_arguments:
            command = [str(self.python), "-m", "pytest", "-q", "-p", "no:snippetcheck", *self.update_arguments]
            subprocess.run(command, cwd=folder, capture_output=True, timeout=1200)

    def commands(self) -> list[list[str]]:
        """Return the commands that run the tool in a folder. The last command is pytest, which writes junit.xml."""
        base = ["-p", "no:cacheprovider", "-q", "--tb=no", "--junitxml", "junit.xml"]
        if self.package:
            base += ["-p", "no:snippetcheck"]
        run = [str(self.python), "-m", "pytest", *base, *self.arguments]
        first = [[str(self.python), "-m", *self.preparation]] if self.preparation else []
        return [*first, run]


def version(package: str, python: Path) -> str:
    """Return the version of a package that is installed for `python`; an empty string if it is not installed."""
    program = f"import importlib.metadata as m; print(m.version({package!r}))"
    process = subprocess.run([str(python), "-c", program], capture_output=True, text=True)
    return process.stdout.strip()


TOOLS = (
    Tool(
        "this harness",
        None,
        ".py",
        corpus.as_snippet,
        ("snippets",),
        (("pyproject.toml", SETTINGS),),
        is_isolated=True,
        folder="snippets",
        timeout_arguments=("--snippet-timeout", TIMEOUT),
    ),
    Tool("doctest", None, ".md", corpus.as_doctest, ("-p", "no:snippetcheck", "--doctest-glob=*.md")),
    Tool("sybil", "sybil", ".md", corpus.as_doctest, (), (("conftest.py", SYBIL),)),
    Tool(
        "pytest-examples",
        "pytest-examples",
        ".md",
        corpus.as_code_alone,
        (),
        (("test_examples.py", PYTEST_EXAMPLES),),
        update_arguments=("--update-examples",),
    ),
    Tool(
        "scipy-doctest",
        "scipy-doctest",
        ".md",
        corpus.as_doctest,
        ("--doctest-glob=*.md",),
        (("conftest.py", "import scipy_doctest\n"),),
    ),
    Tool(
        "phmdoctest",
        "phmdoctest",
        ".md",
        corpus.as_fence_and_output,
        ("tests",),
        (("pyproject.toml", PHMDOCTEST),),
        preparation=("phmdoctest", "pyproject.toml"),
    ),
    Tool("mktestdocs", "mktestdocs", ".md", corpus.as_fence_and_output, (), (("test_pages.py", MKTESTDOCS),)),
    Tool(
        "nbval",
        "nbval",
        ".ipynb",
        corpus.as_notebook,
        ("--nbval",),
        is_isolated=True,
        is_slow=True,
        timeout_arguments=("--nbval-cell-timeout", TIMEOUT),
    ),
    Tool(
        "nbmake",
        "nbmake",
        ".ipynb",
        corpus.as_notebook,
        ("--nbmake",),
        is_isolated=True,
        is_slow=True,
        timeout_arguments=("--nbmake-timeout", TIMEOUT),
    ),
)


THIS_HARNESS = TOOLS[0]


@dataclass(frozen=True)
class Outcome:
    """The exit code of a tool, its verdict on each program, and its times."""

    code: int | None  # None if the tool was killed at the time limit
    seconds: float
    verdicts: dict[str, str]  # "passed" or "failed" by program; "left": "running" if processes were left behind
    cpu: float = 0.0  # CPU seconds of all processes of the tool together


def verdicts(report: Path) -> dict[str, str]:
    """Map the name of each program in a JUnit report to "failed", if a test case of it failed, or "passed".

    Skipped test cases are ignored. If the report is missing or malformed, return {}.
    """
    verdict_by_program: dict[str, str] = {}
    try:
        cases = ET.parse(report).getroot().iter("testcase")
    except (OSError, ET.ParseError):  # the tool ended before it had written the report
        return verdict_by_program
    for case in cases:
        match = re.search(r"p\d{4}", f"{case.get('classname')} {case.get('name')} {case.get('file')}")
        if match:
            has_failed = any(child.tag in ("failure", "error") for child in case)
            is_skipped = any(child.tag == "skipped" for child in case)
            if has_failed or verdict_by_program.get(match[0]) == "failed":
                verdict_by_program[match[0]] = "failed"
            elif not is_skipped:
                verdict_by_program[match[0]] = "passed"
    return verdict_by_program


def run(tool: Tool, programs: list[Program], limit: float = 3600, arguments: tuple[str, ...] = ()) -> Outcome:
    """Run a tool once on these programs in a temporary folder, see `run_in`."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        tool.write(programs, folder)
        tool.update(folder)
        return run_in(tool, folder, limit, arguments)


def with_written_outputs(tool: Tool) -> Tool:
    """If a tool can write outputs itself, return a copy of it whose files contain the outputs from the start, else the tool."""
    return (
        replace(tool, format_program=corpus.as_printed_comments, update_arguments=()) if tool.update_arguments else tool
    )


def run_in(tool: Tool, folder: Path, limit: float = 3600, arguments: tuple[str, ...] = ()) -> Outcome:
    """Run a tool once on the files of a folder, and return the outcome. The exit code is that of the last command.

    Kill processes that the tool leaves behind.

    Args:
        limit: seconds after which a command of the tool is killed.
        arguments: additional arguments of pytest.
    """
    marker = f"BENCH_RUN={secrets.token_hex(8)}"
    environment = {**os.environ, "BENCH_RUN": marker.partition("=")[2], "OMP_NUM_THREADS": "1"}
    start, cpu = time.perf_counter(), _cpu_of_children()
    code: int | None = 0
    for command in tool.commands():
        process = subprocess.Popen(
            [*command, *arguments] if command == tool.commands()[-1] else command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            code = None
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    seconds = time.perf_counter() - start
    has_leftovers = kill_marked(marker)
    verdict_by_program = verdicts(folder / "junit.xml")
    return Outcome(
        code,
        seconds,
        {**verdict_by_program, **({"left": "running"} if has_leftovers else {})},
        _cpu_of_children() - cpu,
    )


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@contextlib.contextmanager
def on_cores(core_count: int | None) -> Iterator[None]:
    """Limit this process and its new children to `core_count` cores within a `with` block. None means no limit."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(cores)[:core_count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def kill_marked(marker: str) -> bool:
    """Kill all processes with `marker` (NAME=VALUE) in their environment. Return whether there were any."""
    time.sleep(0.2)
    has_matches = False
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if marker.encode() in Path(f"/proc/{entry}/environ").read_bytes():
                    os.kill(int(entry), signal.SIGKILL)
                    has_matches = True
            except OSError:
                continue
    return has_matches
