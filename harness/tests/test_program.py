"""The harness runs a program as `python file.py` does: the same text on the same Python."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snippetcheck.compare import Finding
from snippetcheck.outcome import Run
from snippetcheck.program import Program

AS_PLAIN = {
    "constants of one program are one object": """
        a = 257
        b = 257
        print(a is b, "x y" is "x y", (1, 2) is (1, 2))
        """,
    "depth of recursion": """
        import sys
        def deepest(n):
            try:
                return deepest(n + 1)
            except RecursionError:
                return n
        print(deepest(0), sys.getrecursionlimit())
        sys.setrecursionlimit(300)
        print(deepest(0), sys.getrecursionlimit())
        """,
    "imports from __future__ hold for all statements": """
        from __future__ import annotations
        def f(x: nowhere) -> nowhere: ...
        print(f.__annotations__)
        """,
    "only imports from __future__": "from __future__ import annotations",
    "annotations of the module": """
        x: int = 3
        print(__annotations__)
        """,
    "global names at the start": "print(sorted(globals()))",
    "attributes of the module": "print(__name__, __doc__, __spec__, __package__, type(__loader__).__name__, __cached__)",
    "a class sees the frame of the module": """
        import sys
        class A:
            name = sys._getframe(1).f_code.co_name
        print(A.name)
        """,
    "an error ends the program": """
        print("before")
        1 / 0
        print("after")
        """,
}


@pytest.mark.parametrize("body", AS_PLAIN.values(), ids=AS_PLAIN)
def test_a_program_runs_as_under_plain_python(
    body: str, run_and_compare: Callable[..., tuple[Run, list[Finding]]], tmp_path: Path
) -> None:
    run, _ = run_and_compare(body)
    (path,) = tmp_path.rglob("*.py")
    plain = subprocess.run([sys.executable, "-W", "ignore", str(path)], capture_output=True, text=True)
    assert "".join(statement.output for statement in run.statements) == plain.stdout
    error = run.statements[-1].error
    assert (error.type if error else "") == plain.stderr.strip().split("\n")[-1].partition(":")[0]


@given(
    st.lists(
        st.sampled_from(["x = 1", "if x:\n    x += 1", "def f():\n    pass", "'text'", "import os", "x @ 0"]),
        max_size=6,
    )
)
def test_each_statement_begins_and_ends_once(statements: list[str]) -> None:
    events: list[tuple[str, int]] = []

    class Observer:
        def statement_started(self, index: int) -> None:
            events.append(("begins", index))

        def statement_finished(self, index: int, error: BaseException | None) -> None:
            events.append(("ends", index))

    before = sys.modules["__main__"]
    try:
        program = Program("\n".join(['"""A title."""', *statements]), "program.py")
        error = program.run(program.main_module(), Observer())
    finally:
        sys.modules["__main__"] = before
    count = len(statements)
    if error:
        assert isinstance(error, NameError | TypeError)
        count = events[-1][1] + 1
        assert statements[count - 1] == "x @ 0" or "x" in statements[count - 1]
    assert events == [(event, index) for index in range(count) for event in ("begins", "ends")]


def test_lines_of_errors_are_those_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    # Restored after the test: processes of multiprocessing begin with the file of this module.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    program = Program('"""A title."""\n\nx = 1\n\n\n@(lambda f: 1 / 0)\ndef f(): ...\n', "program.py")
    assert program.spans == [(3, 3), (6, 7)]
    error = program.run(program.main_module(), Silent())
    assert error is not None
    assert program.describe(error).line == 6


class Silent:
    """An observer of statements that does nothing."""

    def statement_started(self, index: int) -> None: ...

    def statement_finished(self, index: int, error: BaseException | None) -> None: ...


def test_a_program_that_cannot_be_compiled_raises_a_syntax_error() -> None:
    with pytest.raises(SyntaxError):
        Program("return 1", "program.py")
    assert ast.parse("x @ 0")  # `x @ 0` in a test above is valid syntax: it fails when it runs


@pytest.mark.parametrize(
    "body",
    [
        "print(open(__file__).read().count('#>'))",
        "import pathlib, sys\nprint(pathlib.Path(sys.argv[0]).read_text().count('#>'))",
        "import os\nos.symlink(os.path.abspath(__file__), 'b.txt')\nprint(open('b.txt').read().count('#>'))",
        "import subprocess\nprint(subprocess.run(['grep', '-c', '#>', __file__], capture_output=True, text=True).stdout.strip())",
    ],
)
def test_a_program_that_reads_its_expected_lines_fails(
    body: str, run_and_compare: Callable[..., tuple[Run, list[Finding]]]
) -> None:
    _, findings = run_and_compare(body + "\n#> 1")
    assert [finding.message for finding in findings][-1].startswith("reads its own file")


def test_inspect_returns_the_source_without_expected_lines(
    run_and_compare: Callable[..., tuple[Run, list[Finding]]],
) -> None:
    _, findings = run_and_compare(
        "import inspect, sys\nprint('#' + '>' in inspect.getsource(sys.modules['__main__']))\n#> False"
    )
    assert findings == []


def test_only_the_last_printed_line_may_lack_a_newline(
    run_and_compare: Callable[..., tuple[Run, list[Finding]]],
) -> None:
    _, findings = run_and_compare("print(1, end='')\n#> 1\nprint(2)\n#> 2")
    assert [finding.message.partition(",")[0] for finding in findings] == ["prints no newline at the end"]
    assert "or put both into one statement" in findings[0].remedy
    assert [finding.statement for finding in findings] == [0]
    _, findings = run_and_compare("print(1)\n#> 1\nprint(2, end='')\n#> 2")
    assert findings == []


def test_constants_are_compiled_as_under_plain_python(
    run_and_compare: Callable[..., tuple[Run, list[Finding]]],
) -> None:
    """Check the order of a constant set, the identity of equal numbers, and that Python warns about `is` with a literal."""
    body = "for x in {8, 0}:\n    print(x)\n#> 8\n#> 0\na = 257\ndef f():\n    return 257\n\nprint(f() is a)\n#> True"
    assert run_and_compare(body)[1] == []
    _, findings = run_and_compare("print(1 is 1)\n#> True")
    assert any("SyntaxWarning" in line for finding in findings for line in finding.actual)


def test_compiler_warnings_belong_to_their_statement(
    run_and_compare: Callable[..., tuple[Run, list[Finding]]],
) -> None:
    body = "x = 1\nprint(x)\n#> 1\nprint(x is\n  1)\n#> True\n#~ SyntaxWarning: \"is\" with ...\nassert (x, 'y')\n#~ SyntaxWarning: assertion ..."
    _, findings = run_and_compare(body)
    assert findings == []
