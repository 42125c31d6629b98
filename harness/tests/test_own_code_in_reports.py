"""Reports omit frames of the harness, which they recognize by the paths of its modules, also after a module has moved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import snippetcheck
from snippetcheck import outcome
from snippetcheck.compare import Finding
from snippetcheck.outcome import Run

RunAndCompare = Callable[..., tuple[Run, list[Finding]]]
PACKAGE = Path(snippetcheck.__file__).parent


def test_the_stack_of_a_program_that_hangs_omits_frames_of_the_harness(run_and_compare: RunAndCompare) -> None:
    run, (finding,) = run_and_compare("import time\n\ndef wait():\n    time.sleep(60)\n\nwait()", timeout=0.5)
    assert run.outcome == outcome.TIMED_OUT
    dump = run.statements[-1].stderr
    assert f'File "{PACKAGE}/program.py"' in dump and f'File "{PACKAGE}/runner/child.py"' in dump
    assert "in wait" in "\n".join(finding.actual)
    assert not [line for line in finding.actual if str(PACKAGE) in line or "<string>" in line]


def test_an_error_in_the_harness_is_not_reported_as_one_of_the_program(run_and_compare: RunAndCompare) -> None:
    run, _ = run_and_compare("import weakref\nweakref.finalize._registry = None")
    assert (run.outcome, "child.py" in run.detail) == (outcome.HARNESS_FAILED, True)
    run, _ = run_and_compare("import os\nos._exit(70)")
    assert run.outcome == outcome.EXITED
