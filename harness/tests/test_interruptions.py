"""After an exception while pytest waits for a run, later snippets are judged by their own runs."""

from __future__ import annotations

import signal
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from sample_projects import Project
from snippetcheck.cache import Cache
from snippetcheck.compare import compare
from snippetcheck.engines import PYTHON, EngineError
from snippetcheck.runner import client
from snippetcheck.runner.client import EngineClient
from snippetcheck.runner.runner import Runner
from snippetcheck.settings import load_settings
from snippetcheck.snippet import Snippet

SLOW = "import time\ntime.sleep(20)\nprint('slow')\n#> slow"
WRONG = "assert 1 + 1 == 3\nprint('never')\n#> never"
RIGHT = "x = 1\nprint(x)\n#> 1"
SHORT = "print('one statement')\n#> one statement"

# A conftest.py whose SIGALRM handler raises {error} when pytest has waited one second for the slow snippet.
ALARM = """
import signal
import pytest

class Stop(BaseException):
    pass

def ring(number, frame):
    raise {error}

@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    signal.signal(signal.SIGALRM, ring)
    if "a_slow" in item.nodeid:
        signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
"""
ERRORS = ("Stop()", "RuntimeError('rings')", "TimeoutError('rings')", "ConnectionResetError('rings')")


@pytest.fixture
def slow_first(project: Project) -> Project:
    """Write a slow snippet and four others. No two in a row have the same output, so that a run of another is noticed."""
    for name, body in {"a_slow": SLOW, "b_wrong": WRONG, "c_right": RIGHT, "d_short": SHORT, "e_wrong": WRONG}.items():
        project.snippet(f"{name}.py", body)
    return project


def reports(project: Project, *arguments: str) -> dict[str, str]:
    """Run pytest. Map the name of each snippet to its failure report, which is empty if it passed."""
    project.pytest("--junitxml", "junit.xml", *arguments)
    cases = ET.parse(project.root / "junit.xml").getroot().iter("testcase")
    return {case.attrib["classname"].split(".")[1]: case.findtext("failure", "") for case in cases}


def assert_each_is_judged_by_its_own_run(report_by_name: dict[str, str], slow_report: str) -> None:
    """Check the reports of the five snippets of `slow_first`; that of the slow one must contain `slow_report`."""
    assert slow_report in report_by_name.pop("a_slow")
    assert sorted(report_by_name) == ["b_wrong", "c_right", "d_short", "e_wrong"]
    assert report_by_name["c_right"] == report_by_name["d_short"] == ""
    for report in (report_by_name["b_wrong"], report_by_name["e_wrong"]):
        assert "raises AssertionError, and has no #! line" in report
        assert "assert 1 + 1 == 3" in report and "AttributeError" not in report


@pytest.mark.parametrize(
    "options",
    [(), ("--snippet-cache",), ("-n", "1", "--snippet-cache"), ("-n", "2")],
    ids=["serial", "serial, cache", "one worker, cache", "two workers"],
)
def test_each_snippet_gets_its_own_run_after_a_timeout(options: tuple[str, ...], slow_first: Project) -> None:
    timeout = ("--timeout", "6", "--timeout-method", "signal")
    for _ in range(2 if "--snippet-cache" in options else 1):  # the second session uses cached runs
        report_by_name = reports(slow_first, *timeout, *options)
        assert_each_is_judged_by_its_own_run(report_by_name, "Timeout (>6.0s) from pytest-timeout")
    slow_first.snippet("a_slow.py", "print('slow')\n#> slow\n1 / 0")
    assert_each_is_judged_by_its_own_run(reports(slow_first, *options), "ZeroDivisionError")


@pytest.mark.parametrize("error", ERRORS)
def test_each_snippet_gets_its_own_run_after_an_alarm_of_another_plugin(error: str, slow_first: Project) -> None:
    (slow_first.root / "conftest.py").write_text(ALARM.format(error=error))
    for _ in range(2):
        assert_each_is_judged_by_its_own_run(reports(slow_first, "--snippet-cache"), error.partition("(")[0])


def test_ctrl_c_leaves_no_wrong_run_in_the_cache(slow_first: Project) -> None:
    (slow_first.root / "conftest.py").write_text(ALARM.format(error="KeyboardInterrupt()"))
    assert slow_first.pytest("--snippet-cache").returncode == pytest.ExitCode.INTERRUPTED
    slow_first.snippet("a_slow.py", "print('slow')\n#> slow\n1 / 0")
    assert_each_is_judged_by_its_own_run(reports(slow_first, "--snippet-cache"), "ZeroDivisionError")


class Alarm(BaseException):
    """Raised by a signal handler, at any point of the program."""


@contextmanager
def alarm_after(seconds: float, error: type[BaseException] = Alarm) -> Iterator[None]:
    """Raise `error` from a SIGALRM handler after `seconds`, unless the `with` block ends before."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise error

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def write_numbered_programs(write: Callable[..., Snippet], count: int) -> list[Snippet]:
    """Write programs 0 to count - 1. Program n prints n and has n + 1 statements."""
    return [
        write("\n".join([*["x = 0"] * number, f"print({number})\n#> {number}"]), f"n{number}.py")
        for number in range(count)
    ]


def test_each_program_gets_its_own_run_after_an_alarm_at_any_moment(
    write: Callable[..., Snippet], tmp_path: Path
) -> None:
    """Interrupt the runner after 0.5 to 39.5 ms of running programs: each program must then still get its own run."""
    programs = write_numbered_programs(write, 6)
    settings = load_settings(tmp_path)
    with Runner(settings, Cache(tmp_path / "runs")) as runner:
        runner.result(programs[0], PYTHON.name)
        alarm_count = 0
        for step in range(40):
            try:
                with alarm_after(0.0005 + 0.001 * step):
                    for number in range(5):
                        edited = write(f"{programs[number].text.partition(chr(10))[2]}# {step}", f"n{number}.py")
                        runner.submit(edited, PYTHON.name)
                        runner.result(edited, PYTHON.name)
            except Alarm:
                alarm_count += 1
            for program in programs:
                assert compare(program, runner.result(program, PYTHON.name)) == []
        assert alarm_count > 5


def test_an_alarm_while_the_engine_is_imported_does_not_import_it_again(
    write: Callable[..., Snippet], tmp_path: Path
) -> None:
    (tmp_path / "heavy.py").write_text("import time\ntime.sleep(1.5)")
    engine = client.Engine("heavy", preload=("heavy",), path=(str(tmp_path),))
    program = write(RIGHT)
    with EngineClient(engine) as server:
        server.launch()
        pid = server.pid
        with pytest.raises(Alarm), alarm_after(0.3):
            server.submit(program)
        assert compare(program, server.run(program)) == []
        assert server.pid == pid


def test_a_job_that_was_abandoned_has_no_run(write: Callable[..., Snippet]) -> None:
    slow, right = write(SLOW, "slow.py"), write(RIGHT, "right.py")
    with EngineClient(PYTHON) as server:
        jobs = [server.submit(slow), server.submit(right)]
        with pytest.raises(Alarm), alarm_after(0.3):
            server.result(jobs[1])
        assert not any(map(server.has_job, jobs))
        with pytest.raises(EngineError, match="was abandoned\n    submit the program again"):
            server.result(jobs[1])
        assert compare(right, server.run(right)) == []


def test_runs_can_be_fetched_in_any_order(write: Callable[..., Snippet], python_server: EngineClient) -> None:
    programs = write_numbered_programs(write, 4)
    jobs = [python_server.submit(program) for program in programs]
    for program, job in reversed(list(zip(programs, jobs, strict=True))):
        assert compare(program, python_server.result(job)) == []


def test_a_run_with_more_statements_than_the_program_is_a_failure_of_the_harness(
    write: Callable[..., Snippet], python_server: EngineClient, tmp_path: Path
) -> None:
    long, short = write(RIGHT, "long.py"), write(SHORT, "short.py")
    run = python_server.run(long)
    (finding,) = compare(short, run)
    assert finding.message == "harness failed: the run has 2 statements, but the program has 1"
    assert finding.remedy
    cache = Cache(tmp_path / "runs")
    cache.put(short, PYTHON, run)
    assert cache.get(short, PYTHON) is None
    cache.put(long, PYTHON, run)
    assert cache.get(long, PYTHON) is not None
