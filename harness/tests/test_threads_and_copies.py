"""A program may warn in a thread and fork a copy that ends by itself. A copy that continues the program is reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from snippetcheck import outcome
from snippetcheck.bless import bless
from snippetcheck.compare import Finding
from snippetcheck.outcome import Run
from snippetcheck.snippet import Snippet

RunAndCompare = Callable[..., tuple[Run, list[Finding]]]

THREAD = "import threading, warnings\nt = threading.Thread(target=lambda: {})\nt.start()\n{}t.join()\n{}"
WARN = "warnings.warn('w')"
LATE = "(threading.Event().wait(0.3), warnings.warn('w'))"


@pytest.mark.parametrize("call", [WARN, LATE])
@pytest.mark.parametrize(("start", "join"), [("#~ UserWarning: w\n", ""), ("", "#~ UserWarning: w")])
def test_a_warning_of_a_thread_may_be_expected_at_start_or_join(
    call: str, start: str, join: str, run_and_compare: RunAndCompare
) -> None:
    assert run_and_compare(THREAD.format(call, start, join))[1] == []


@pytest.mark.parametrize(
    ("start", "join", "message"),
    [
        ("", "", "warns, and has no #~ line"),
        ("#~ UserWarning: w\n", "#~ UserWarning: w", "does not warn"),
        ("", "#~ UserWarning: v", "warns, and has no #~ line"),
    ],
)
def test_a_warning_of_a_thread_must_be_expected_once(
    start: str, join: str, message: str, run_and_compare: RunAndCompare
) -> None:
    # Join at once, so that the warning occurs in the line of the start.
    body = THREAD.format(WARN, start, join).replace("t.start()", "t.start(); t.join()")
    assert message in run_and_compare(body)[1][0].message


def test_a_warning_of_the_main_thread_must_be_expected_at_its_statement(run_and_compare: RunAndCompare) -> None:
    findings = run_and_compare(f"import warnings\n{WARN}\nx = 1\n#~ UserWarning: w")[1]
    assert [finding.message.split(",")[0] for finding in findings] == ["warns", "does not warn"]


def test_warnings_of_two_threads_may_be_expected_at_one_statement(run_and_compare: RunAndCompare) -> None:
    body = THREAD.format(LATE, "", "#~ UserWarning: w").replace("t.join()", "warnings.warn('v'); t.join()")
    body = body.replace("#~ UserWarning: w", "#~ UserWarning: v\n#~ UserWarning: w")
    assert run_and_compare(body)[1] == []


def test_bless_does_not_move_a_warning_of_a_thread(write: Callable[..., Snippet], python_server: Any) -> None:
    snippet = write(THREAD.format(WARN, "", "#~ UserWarning: w"))
    run = python_server.run(snippet)
    assert not bless(snippet, run, [run]).is_changed


CHILD = (
    "import os, signal\nhits = []\n_ = signal.signal(signal.SIGCHLD, lambda n, f: hits.append(n))\npid = os.fork()\n"
)


@pytest.mark.parametrize(
    "end",
    [
        "if pid == 0:\n    os._exit(3)\n",
        "if pid == 0:\n    import sys\n    sys.exit(3)\n",
        "if pid == 0:\n    import sys\n    sys.stderr.close()\n    sys.exit('why')\n",
        "if not pid: raise SystemExit(3)\n",
        "if not pid: raise SystemExit(2**40 + 3)\n",
    ],
)
def test_a_forked_copy_may_end_in_the_next_statement(end: str, run_and_compare: RunAndCompare) -> None:
    status = 1 if "why" in end else 3
    wait = f"_, status = os.waitpid(pid, 0)\nprint(len(hits), os.waitstatus_to_exitcode(status))\n#> 1 {status}"
    run, findings = run_and_compare(f"{CHILD}{end}{wait}")
    assert (run.outcome, findings) == (outcome.FINISHED, [])


def test_sys_exit_ends_a_forked_copy_as_in_plain_python(run_and_compare: RunAndCompare) -> None:
    """Check that the copy prints what it exits with, and calls exit handlers."""
    body = (
        "import atexit, os, sys\n_ = atexit.register(lambda: print('bye', os.getpid() == parent))\nparent = os.getpid()\n"
        "if os.fork() == 0:\n    sys.exit('why')\n_, status = os.wait()\n"
        "print(os.waitstatus_to_exitcode(status))"
    )
    run, _ = run_and_compare(body)
    assert run.outcome == outcome.FINISHED
    assert "".join(statement.output for statement in run.statements) + run.tail_output == "bye False\n1\nbye True\n"
    assert "".join(statement.stderr for statement in run.statements) == "why\n"


@pytest.mark.parametrize("end", ["x = 1", "x = 1\ny = 2", "if pid == 0:\n    raise ValueError", ""])
def test_a_forked_copy_that_continues_the_program_is_reported(end: str, run_and_compare: RunAndCompare) -> None:
    run, _ = run_and_compare(f"import os\npid = os.fork()\n{end}")
    assert run.outcome == outcome.FORKED
