"""Every kind of difference between a run and its snippet is reported, with its line and a remedy."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from snippetcheck.compare import Finding, line_matches, message_matches
from snippetcheck.engines import PYTHON
from snippetcheck.expected import ExpectedLine
from snippetcheck.outcome import Run
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet

RunAndCompare = Callable[..., tuple[Run, list[Finding]]]

GREEN = {
    "prints": "print(1)\n#> 1",
    "empty line": "print()\n#>",
    "blanks at the end": "print('a  ')\n#> a",
    "without line end": "print('a', end='')\n#> a",
    "two lines": "print('a\\nb')\n#> a\n#> b",
    "wildcard": "print('in /tmp/x17 now')\n#>? in ... now",
    "dots": "print('in ... now')\n#> in ... now",
    "raises": "1 / 0\n#! ZeroDivisionError: division by zero",
    "raises without message": "raise ValueError\n#! ValueError",
    "message of two lines": "raise ValueError('a\\nb')\n#! ValueError: a\n#! b",
    "message cut with dots": "raise ValueError('one two three\\nfour')\n#! ValueError: one two ...",
    "qualified type": "import json\njson.loads('')\n#! json.decoder.JSONDecodeError: Expecting value: ...",
    "message with note": "e = ValueError('a')\ne.add_note('b')\nraise e\n#! ValueError: a\n#! b",
    "error that is caught": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    print(e)\n#> division by zero\nprint(1)\n#> 1",
    "exit that is expected": "import sys\nsys.exit(3)\n#! SystemExit: 3",
    "interrupt that is expected": "raise KeyboardInterrupt\n#! KeyboardInterrupt",
    "warns": "import warnings\nwarnings.warn('beware')\n#~ UserWarning: beware",
    "prints and warns": "import warnings\nprint(1), warnings.warn('x')\n#> 1\n#~ UserWarning: x",
    "from a subprocess": "import subprocess\n_ = subprocess.run(['echo', 'a'])\n#> a",
    "from C": "import ctypes\n_ = ctypes.CDLL(None).puts(b'a')\n#> a\nprint('b')\n#> b",
    "from a thread": "import threading\ndef f():\n    t = threading.Thread(target=print, args=('a',))\n"
    "    t.start()\n    t.join()\n\nf()\n#> a",
    "future import": "from __future__ import annotations\ndef f(x: nothing): pass\nprint(f.__annotations__)\n"
    "#> {'x': 'nothing'}",
    "main module": "if __name__ == '__main__':\n    print(1)\n#> 1",
    "class to pickle": "import pickle\nclass A:\n    pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)\n#> True",
    "source of a function": "import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f), end='')\n"
    "#> def f():\n#>     return 1",
    "dots of a big tensor": "print('tensor([0., 1., ..., 9.])')\n#> tensor([0., 1., ..., 9.])",
    "stdout that cannot be flushed": "import sys\nclass A(list):\n    write = list.append\n\n"
    "sys.stdout = A()\nprint(1)\nsys.stdout = sys.__stdout__\nprint(2)\n#> 2",
    "functions of module os replaced": "import json, os\nos.write = os.getpid = os.fstat = os._exit = os.read = json.dumps = None\n"
    "print(1)\n#> 1",
    "lone surrogate in a message": "raise ValueError('\\ud800')\n#! ValueError: \\ud800",
}
RED = {
    "wrong value": ("x = 1\nprint(x)\n#> 2", 5, "prints something other"),
    "missing line": ("print(1)\nprint(2)\n#> 2", 3, "has no #> line"),
    "one line too few": ("print('a\\nb')\n#> a", 4, "prints 2 lines; it has 1 #> line"),
    "one line too many": ("print('a')\n#> a\n#> b", 5, "prints 1 line; its #> lines say 2"),
    "nothing printed": ("x = 1\n#> 1", 4, "prints nothing"),
    "second line wrong": ("print('a\\nb')\n#> a\n#> c", 5, "prints something other"),
    "line under the next statement": ("x = print\nprint(1)\nx(2)\n#> 1\n#> 2", 4, "prints 1 line and has no #> line"),
    "unexpected error": ("def f():\n    1 / 0\n\nf()", 6, "raises ZeroDivisionError, and has no #! line"),
    "no error": ("x = 1\n#! ValueError: x", 4, "does not raise"),
    "another error": ("1 / 0\n#! ValueError: x", 4, "raises ZeroDivisionError; its #! line expects ValueError"),
    "base of the error": ("1 / 0\n#! ArithmeticError: division by zero", 4, "raises ZeroDivisionError"),
    "another message": ("1 / 0\n#! ZeroDivisionError: division", 4, "another message"),
    "dots for an empty rest": ("1 / 0\n#! ZeroDivisionError: division by zero ...", 4, "another message"),
    "bare sign": ("1 / 0\n#!", 4, "bare #! line"),
    "unexpected warning": ("import warnings\nwarnings.warn('x')", 4, "warns, and has no #~ line"),
    "no warning": ("x = 1\n#~ UserWarning: x", 4, "does not warn"),
    "another category": ("import warnings\nwarnings.warn('x')\n#~ FutureWarning: x", 5, "warns of something other"),
    "another warning": ("import warnings\nwarnings.warn('x')\n#~ UserWarning: y", 5, "warns of something other"),
    "one of two warnings": (
        "import warnings\nwarnings.warn('x'), warnings.warn('y')\n#~ UserWarning: x",
        5,
        "warns of something other",
    ),
    "stderr": ("import sys\n_ = sys.stderr.write('x')", 4, "writes to stderr"),
    "stderr from C": ("import os\n_ = os.system('echo x >&2')", 4, "writes to stderr"),
    "output after an error": ("1 / 0\nprint(1)\n#> 1", 4, "never ran"),
    "warning after an error": ("1 / 0\nimport warnings\nwarnings.warn('x')\n#~ UserWarning: x", 5, "never ran"),
    "error after an error": ("1 / 0\nx.y\n#! NameError: name 'x' is not defined", 4, "never ran"),
    "exit": ("import sys\nsys.exit(0)\nprint(1)\n#> 1", 4, "raises SystemExit, and has no #! line"),
    "input": ("x = input()", 3, "raises EOFError"),
    "branch that is not taken": ("if 1 > 2:\n    print(1)\n#> 1", 5, "prints nothing"),
    "except that never fires": ("try:\n    x = 1\nexcept ValueError as e:\n    print(e)\n#> no", 7, "prints nothing"),
    "output at exit": ("import atexit\n_ = atexit.register(print, 'bye')", 4, "after its last statement"),
    "thread after the end": (
        "import threading, time\nt = threading.Thread(target=lambda: (time.sleep(0.1), print('late')))\nt.start()",
        5,
        "after its last statement",
    ),
    "error in a thread": (
        "import threading\nt = threading.Thread(target=lambda: 1 / 0)\n[t.start(), t.join()]",
        5,
        "stderr",
    ),
    "stdout replaced": ("import io, sys\nsys.stdout = io.StringIO()\nprint(1)\n#> 1", 6, "prints nothing"),
    "stdout closed": ("import sys\nsys.stdout.close()\nprint(1)\n#> 1", 5, "raises ValueError"),
    "descriptor closed": ("import os\nos.close(1)\nprint(1)\n#> 1", 5, "raises OSError"),
    "stdout truncated": ("import os\nprint('x', flush=True), os.ftruncate(1, 0)", 4, "prints 1 line and has no #>"),
    "stdout opened anew": (
        "print('abc')\n#> abc\n_ = open('/dev/stdout', 'w').write('x')",
        5,
        "prints 1 line and has no #>",
    ),
    "original stdout": (
        "import io, sys\nf, sys.stdout = sys.stdout, io.StringIO()\n_ = f.write('a')",
        5,
        "prints 1 line",
    ),
    "second file of stdout": ("f = open(1, 'w', closefd=False)\n_ = f.write('a')", 4, "after its last statement"),
    "finalizer at exit": ("class A:\n    def __del__(self):\n        print(1)\n\na = A()", 7, "or a finalizer"),
    "finalizer of a cycle at exit": (
        "class A:\n    def __del__(self):\n        print(1)\n\na = A()\na.a = a",
        8,
        "writes to stdout after its last statement",
    ),
    "warning at exit": (
        "import atexit, warnings\n_ = atexit.register(warnings.warn, 'x')",
        4,
        "writes to stderr after",
    ),
    "warning in a fork": (
        "import multiprocessing, warnings\np = multiprocessing.get_context('fork').Process(target=warnings.warn, args='x')\n"
        "p.start(), p.join()",
        5,
        "writes to stderr",
    ),
    "error whose class has no readable name": (
        "class E(type):\n    @property\n    def __name__(cls):\n        raise KeyboardInterrupt\n\n"
        "class F(Exception, metaclass=E):\n    pass\n\nraise F",
        11,
        "raises BaseException",
    ),
    "wildcard for an empty text": ("print('ab')\n#>? a...b", 4, "prints something other"),
    "dots are no wildcard": ("print('Loading model failed: no disk')\n#> Loading model...", 4, "something other"),
    "dots of a big tensor": ("print('tensor([0., 1., 5., 9.])')\n#> tensor([0., 1., ..., 9.])", 4, "something other"),
}


@pytest.mark.parametrize("name", GREEN)
def test_a_run_that_matches_its_expected_lines_has_no_findings(name: str, run_and_compare: RunAndCompare) -> None:
    run, findings = run_and_compare(GREEN[name])
    assert findings == []
    assert run.outcome == "finished"


@pytest.mark.parametrize("name", RED)
def test_a_difference_is_reported_with_its_line_and_a_remedy(name: str, run_and_compare: RunAndCompare) -> None:
    body, line, message = RED[name]
    _, findings = run_and_compare(body)
    assert [finding for finding in findings if finding.line == line and message in finding.message], findings
    assert all(finding.remedy for finding in findings)


def test_a_file_beside_the_program_that_it_does_not_find_is_named(run_and_compare: RunAndCompare) -> None:
    _, [finding] = run_and_compare("open('example.py')")
    assert (
        finding.remedy == "programs run in an empty folder: find the file with `Path(__file__).parent / 'example.py'`"
    )


def test_a_finalizer_runs_at_exit_although_the_engine_has_finalizers(
    write: Callable[..., Snippet], torch_server: EngineClient
) -> None:
    """Check that `weakref.finalize` works in a snippet although PyTorch has already registered its exit handler."""
    snippet = write(
        "import builtins, weakref\nclass A:\n    pass\n\nbuiltins.a = A()\nf = weakref.finalize(a, print, 'bye')"
    )
    assert torch_server.run(snippet).tail_output == "bye\n"


def test_a_log_is_flushed_at_exit_although_the_engine_has_imported_logging(write: Callable[..., Snippet]) -> None:
    snippet = write(
        "import logging.handlers, sys\nh = logging.handlers.MemoryHandler(9, target=logging.StreamHandler(sys.stdout))\n"
        "logging.getLogger().addHandler(h)\nlogging.warning('low')\nprint('end')\n#> end"
    )
    for preload in ((), ("logging",)):
        with EngineClient(replace(PYTHON, preload=preload)) as server:
            assert server.run(snippet).tail_output == "low\n"


def wildcard_line(text: str) -> ExpectedLine:
    return ExpectedLine(1, text, has_wildcards=True)


@pytest.mark.parametrize(
    ("expected", "actual", "matches"),
    [
        ("a ... b", "a 1 2 b", True),
        ("a ... b", "a b", False),
        ("a ... b", "a ... b", True),
        ("at ...", "at 0x1", True),
        ("at ...", "at", False),
        ("...: 3", "x: 3", True),
        ("...: 3", "x: 4", False),
        ("a ...", "a\xa0b", False),
        ("a.b ...", "axb 1", False),
    ],
)
def test_each_wildcard_stands_for_one_or_more_characters(expected: str, actual: str, matches: bool) -> None:
    assert line_matches(wildcard_line(expected), actual) == matches


@pytest.mark.parametrize(
    "text", ["a ... b", "...", "        ...,", "[0 1 ... 8 9]", "tuple[int, ...]", "{...}", "..  ...", "wait..."]
)
def test_dots_in_a_line_without_wildcards_are_literal(text: str) -> None:
    assert line_matches(ExpectedLine(1, text), text)
    assert not line_matches(ExpectedLine(1, text), text.replace("...", "12"))


@pytest.mark.parametrize(
    ("expected", "actual", "matches"),
    [
        ("one ...", "one two\nthree", True),
        ("one ...", "one\ntwo", True),
        ("one ...", "one", False),
        ("one", "one two", False),
        ("one ...\nfour", "one two\nthree\nfour", True),
        ("one\n...", "one\ntwo", True),
        ("a\nb", "a \nb", True),
        ("a", "a\n", False),
        ("use .f(...) or ...", "use .f(...) or not", True),
        ("use .f(...) or ...", "use .f(x) or not", False),
        ("one ... four", "one two\nthree four", False),
        ("Loading...", "Loading failed", False),
        ("shape is ...", "shape is 2. Use .f(...) instead.", True),
    ],
)
def test_dots_at_the_end_of_a_line_stand_for_the_rest_of_a_message(expected: str, actual: str, matches: bool) -> None:
    assert message_matches(expected, actual) == matches


PIECES = st.lists(st.sampled_from(["a", "b", "...", ".", "ab", ", ", "["]), max_size=9).map("".join)


@settings(max_examples=500)
@given(PIECES, PIECES)
def test_wildcards_match_as_a_regular_expression_would(expected: str, actual: str) -> None:
    """Compare with the regular expression `.+`, which would take exponential time on a long line."""
    expression = ".+".join(map(re.escape, expected.split("...")))
    assert line_matches(wildcard_line(expected), actual) == bool(re.fullmatch(expression, actual))


def test_matching_wildcards_in_a_long_line_is_fast() -> None:
    line = "a " + "b " * 30_000
    began = time.monotonic()
    assert not line_matches(wildcard_line("a ... b ... b ... b ... c"), line)
    assert line_matches(wildcard_line("a ... b ... b ... b ... b"), line.rstrip())
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("printed", ["ab" * 450_000, "ab" * 450_000 + "...", "ab" * 400 + "..." * 3])
def test_matching_many_wildcards_is_fast(printed: str) -> None:
    began = time.process_time()
    assert not line_matches(wildcard_line("...".join("ab" * 15) + "...c"), printed)
    assert time.process_time() - began < 2


def test_a_diff_omits_lines_whose_wildcards_match(run_and_compare: RunAndCompare) -> None:
    _, (finding,) = run_and_compare("print('in 3 s\\n4')\n#>? in ... s\n#> 5")
    assert (finding.line, finding.expected, finding.actual) == (5, ("in 3 s", "5"), ("in 3 s", "4"))


LOOKALIKES = {
    "carriage return": "print('a\\r')\n#> a",
    "no-break space": "print('a\\xa0')\n#> a",
    "a byte that is not UTF-8": "import os\n_ = os.write(1, b'\\xff\\n')\n#> \\xff",
}


@pytest.mark.parametrize("name", LOOKALIKES)
def test_characters_that_look_alike_differ(name: str, run_and_compare: RunAndCompare) -> None:
    _, findings = run_and_compare(LOOKALIKES[name])
    assert [finding.message for finding in findings] == ["prints something other than its #> lines say"]


def test_an_error_is_reported_before_the_output_that_it_prevents(run_and_compare: RunAndCompare) -> None:
    _, findings = run_and_compare("print(1 / 0)\n#> 1")
    assert [finding.message.partition(",")[0] for finding in findings] == [
        "raises ZeroDivisionError",
        "prints nothing; its #> lines say 1",
    ]
