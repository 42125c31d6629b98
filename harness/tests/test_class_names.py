"""Errors and warnings are compared by class, so that a different class with the same bare name does not match."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sample_projects import Project, parse_text
from snippetcheck.bless import bless
from snippetcheck.compare import Finding, class_matches
from snippetcheck.outcome import FINISHED, RaisedError, Run, StatementRun, traceback_name, warning_name

RunAndCompare = Callable[..., tuple[Run, list[Finding]]]

OWN_ERROR = "class ConnectionError(Exception):\n    pass\n\nraise ConnectionError('x')\n"
OWN_WARNING = "import warnings\nclass UserWarning(Warning):\n    pass\n\nwarnings.warn('x', UserWarning)\n"
NESTED = "class Net:\n    class Error(Exception):\n        pass\n\nraise Net.Error('x')\n"
LOCAL = "def f():\n    class TimeoutError(Exception):\n        pass\n    raise TimeoutError('x')\n\nf()\n"
LIBRARY = "import json\n\n\nclass JSONDecodeError(Exception):\n    pass\n\n\njson.loads('')\n"
GROUP = "raise ExceptionGroup('two', [ValueError(1), ExceptionGroup('one', [KeyError('k')])])\n"

GREEN = {
    "own error": OWN_ERROR + "#! __main__.ConnectionError: x",
    "own warning": OWN_WARNING + "#~ __main__.UserWarning: x",
    "own warning whose name does not end in Warning": "import warnings\nclass Beware(Warning):\n    pass\n\nwarnings.warn('x', Beware)\n#~ Beware: x",
    "own error without a built-in namesake": "class Missing(Exception):\n    pass\n\nraise Missing('x')\n#! Missing: x",
    "name that is not ASCII": "class Überlauf(Exception):\n    pass\n\nraise Überlauf('x')\n#! Überlauf: x",
    "nested, as a traceback prints it": NESTED + "#! Net.Error: x",
    "nested, with its module": NESTED + "#! __main__.Net.Error: x",
    "nested, bare": NESTED + "#! Error: x",
    "local": LOCAL + "#! f.<locals>.TimeoutError: x",
    "library, as a traceback prints it": "import json\njson.loads('')\n#! json.decoder.JSONDecodeError: Expecting ...",
    "library, bare": "import json\njson.loads('')\n#! JSONDecodeError: Expecting ...",
    "built-in, with its module": "1 / 0\n#! builtins.ZeroDivisionError: division by zero",
    "members of a group": GROUP + "#! ExceptionGroup: two (2 sub-exceptions)\n#!    ValueError: 1\n"
    "#!    ExceptionGroup: one (1 sub-exception)\n#!       KeyError: 'k'",
    "members of a group left out": GROUP + "#! ExceptionGroup: two (2 sub-exceptions) ...",
    "own class among the members": OWN_ERROR.replace("raise ConnectionError('x')", "e = ConnectionError('x')")
    + "raise ExceptionGroup('g', [e])\n#! ExceptionGroup: g (1 sub-exception)\n#!    __main__.ConnectionError: x",
}

RED = {
    "own error, built-in error expected": (OWN_ERROR + "#! ConnectionError: x", "raises __main__.ConnectionError; its #! line"),
    "own warning, built-in warning expected": (OWN_WARNING + "#~ UserWarning: x", "warns of something other"),
    "built-in error, own error expected": ("raise ConnectionError('x')\n#! __main__.ConnectionError: x", "raises ConnectionError;"),
    "built-in warning, own warning expected": ("import warnings\nwarnings.warn('x')\n#~ __main__.UserWarning: x", "something other"),
    "local class, built-in class expected": (LOCAL + "#! TimeoutError: x", "raises f.<locals>.TimeoutError;"),
    "class of a library, own class expected": (LIBRARY + "#! JSONDecodeError: Expecting ...", "raises json.decoder.JSONDecodeError;"),
    "group with another member": (
        GROUP + "#! ExceptionGroup: two (2 sub-exceptions)\n#!    TypeError: 1\n#!    ExceptionGroup: one (1 sub-exception)\n"
        "#!       KeyError: 'k'",
        "another message",
    ),
    "group without its members": (GROUP + "#! ExceptionGroup: two (2 sub-exceptions)", "another message"),
}  # fmt: skip


@pytest.mark.parametrize("name", GREEN)
def test_a_name_of_the_raised_class_matches(name: str, run_and_compare: RunAndCompare) -> None:
    _, findings = run_and_compare(GREEN[name])
    assert findings == []


@pytest.mark.parametrize("name", RED)
def test_the_name_of_another_class_does_not_match(name: str, run_and_compare: RunAndCompare) -> None:
    body, message = RED[name]
    _, findings = run_and_compare(body)
    assert [message in finding.message for finding in findings] == [True], findings


@pytest.mark.parametrize(
    ("qualified", "in_traceback", "in_warning"),
    [
        ("builtins.ValueError", "ValueError", "ValueError"),
        ("__main__.Mine", "Mine", "Mine"),
        ("__main__.Net.Error", "Net.Error", "Error"),
        ("__main__.UserWarning", "__main__.UserWarning", "__main__.UserWarning"),
        ("torch.jit._trace.TracerWarning", "torch.jit._trace.TracerWarning", "TracerWarning"),
        ("numpy.RuntimeWarning", "numpy.RuntimeWarning", "numpy.RuntimeWarning"),
    ],
)
def test_a_class_matches_its_names_in_tracebacks_and_warnings(
    qualified: str, in_traceback: str, in_warning: str
) -> None:
    assert (traceback_name(qualified), warning_name(qualified)) == (in_traceback, in_warning)
    assert class_matches(in_traceback, qualified) and class_matches(in_warning, qualified)


def test_bless_writes_class_names_that_match(project: Project) -> None:
    files = {
        "own.py": (OWN_ERROR + "#!", "#! __main__.ConnectionError: x\n"),
        "library.py": ("import json\njson.loads('')\n#!", "#! json.decoder.JSONDecodeError: Expecting value: line 1 "),
        "bare.py": ("import json\njson.loads('')\n#! JSONDecodeError: x", "#! JSONDecodeError: Expecting value: "),
        "warning.py": (OWN_WARNING, "#~ __main__.UserWarning: x\n"),
        "group.py": (GROUP + "#!", "(2 sub-exceptions)\n#!    ValueError: 1\n#!    ExceptionGroup: one (1 sub-exception)\n"),
    }  # fmt: skip
    paths: dict[str, Path] = {name: project.snippet(name, body) for name, (body, _) in files.items()}
    completed = project.harness("bless")
    assert completed.returncode == 0, completed.stdout + completed.stderr
    for name, (_, expected) in files.items():
        assert expected in paths[name].read_text(), paths[name].read_text()
    assert project.pytest().returncode == 0


def test_bless_writes_the_name_that_the_engines_share() -> None:
    def run(engine: str, module: str) -> Run:
        error = RaisedError("TraceError", f"{module}.TraceError", "x", 3)
        return Run(engine, FINISHED, "", (StatementRun("", "", error, ()),))

    snippet = parse_text('"""An example."""\n\nf()\n#!\n')
    blessing = bless(snippet, run("torch", "torch.fx.proxy"), [run("reference_impl", "reference_impl.fx")])
    assert blessing.text.endswith("\nf()\n#! TraceError: x\n")
