"""`bless` writes printed output literally, keeps wildcards that fit, and refuses unstable output."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sample_projects import Project, parse_text
from snippetcheck.bless import BlessError, Blessing, bless
from snippetcheck.compare import compare, output_lines
from snippetcheck.engines import PYTHON, Engine
from snippetcheck.outcome import FINISHED, Run, StatementRun
from snippetcheck.runner.client import EngineClient
from snippetcheck.snippet import Snippet, load

TWO_ENGINES = """
[tool.snippetcheck.engines.one]
[tool.snippetcheck.engines.two]
preload = ["other_fractions"]
replace = { fractions = "other_fractions" }
path = ["."]
"""


def blessing(snippet: Snippet, server: EngineClient) -> Blessing:
    return bless(snippet, server.run(snippet), [server.run(snippet)])


def body(blessed: Blessing) -> str:
    """Return the blessed text below the title."""
    return blessed.text.partition("\n\n")[2]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("print(1)\n", "print(1)\n#> 1\n"),
        ("print(1)\n#> 2\nprint(2)\n", "print(1)\n#> 1\nprint(2)\n#> 2\n"),
        ("print('a\\n\\nb  ')\n", "print('a\\n\\nb  ')\n#> a\n#>\n#> b\n"),
        ("x = 1\n#> 1\n\n# text\nx = 2\n", "x = 1\n\n# text\nx = 2\n"),
        ("1 / 0\n#!\n", "1 / 0\n#! ZeroDivisionError: division by zero\n"),
        ("1 / 0\n#! ValueError: x\n", "1 / 0\n#! ZeroDivisionError: division by zero\n"),
        ("1 / 0\n#! ZeroDivisionError: division ...\n", "1 / 0\n#! ZeroDivisionError: division ...\n"),
        ("raise ValueError('a\\nb')\n#!\n", "raise ValueError('a\\nb')\n#! ValueError: a ...\n"),
        (
            "raise ValueError('a' * 50 + '. ' + 'b' * 90)\n#! ValueError: old ...\n",
            f"raise ValueError('a' * 50 + '. ' + 'b' * 90)\n#! ValueError: {'a' * 50}. ...\n",
        ),
        ("raise ValueError\n#!\n", "raise ValueError\n#! ValueError\n"),
        (
            "import warnings\nwarnings.warn('x')\n",
            "import warnings\nwarnings.warn('x')\n#~ UserWarning: x\n",
        ),
        (
            "import warnings\nwarnings.warn('x (Triggered internally at /a.cpp:1.)')\n",
            "import warnings\nwarnings.warn('x (Triggered internally at /a.cpp:1.)')\n#~ UserWarning: x ...\n",
        ),
        ("print('in /tmp/y: 3')\n#>? in ...: 3\n", "print('in /tmp/y: 3')\n#>? in ...: 3\n"),
        ("print('in /tmp/y: 3')\n#>? in ...: 2\n", "print('in /tmp/y: 3')\n#> in /tmp/y: 3\n"),
        ("print('in /tmp/y: 3')\n#> in ...: 3\n", "print('in /tmp/y: 3')\n#> in /tmp/y: 3\n"),
        (
            "print('a\\nin /tmp/y: 3')\n#>? in ...: 3\n",
            "print('a\\nin /tmp/y: 3')\n#> a\n#>? in ...: 3\n",
        ),
        (
            "print('1 s\\n2 s\\n3 m')\n#>? ... s\n#>? ... s\n",
            "print('1 s\\n2 s\\n3 m')\n#>? ... s\n#>? ... s\n#> 3 m\n",
        ),
        ("print('1 s')\n#>? ... s\n#>? ... s\n", "print('1 s')\n#>? ... s\n"),
        ("print('wait...')\n", "print('wait...')\n#> wait...\n"),
        ("print('..   ...  ...')\n", "print('..   ...  ...')\n#> ..   ...  ...\n"),
        ("for i in 1, 2:\n    print(i)\n", "for i in 1, 2:\n    print(i)\n#> 1\n#> 2\n"),
    ],
)
def test_bless_writes_the_expected_lines(
    before: str, after: str, write: Callable[..., Snippet], python_server: EngineClient
) -> None:
    blessed = blessing(write(before), python_server)
    assert body(blessed) == after
    blessed.write()
    assert blessed.snippet.path.read_text() == blessed.text


@pytest.mark.parametrize(
    ("before", "line", "message", "remedy"),
    [
        ("1 / 0\n", 3, "raises ZeroDivisionError", "write a bare `#!`"),
        ("import sys\nsys.exit()\nprint(1)\n", 4, "raises SystemExit\n", "catch the error and print it"),
        (
            "open('example.py')\nprint(1)\n",
            3,
            "No such file",
            "find the file with `Path(__file__).parent / 'example.py'`",
        ),
        ("open('example.csv')\n", 3, "No such file", "or write a bare `#!`"),
        ("1 / 0\nprint(1)\n", 3, "raises ZeroDivisionError", "catch the error and print it"),
        ("x = 1\n#! ValueError: x\n", 4, "no longer raises", "remove its #! lines"),
        ("print(object())\n", 3, "its output shows an address", "write ... instead, in a `#>?` line"),
        ("print(1)\nprint(__file__)\n", 4, "', a path of this machine", "with ... for the path"),
        ("import json\nprint(json.__file__)\n", 4, "', a path of this machine", "or write a `#>?` line by hand"),
        ("import sys\nraise ValueError(sys.executable)\n#!\n", 4, "', a path of this machine", "print only the name"),
        (
            "print(1)\n#> 0\n#> 9\nprint('a\\rb')\nprint(2)\n",
            6,
            "its output has a carriage return",
            "in an expected line write `#>?` with ... in its place",
        ),
        ("print(1)\nprint('\\x1b[1m')\n#> 9\n", 4, "its output has an invisible character", "`#>?` with ..."),
        (
            "import os\nos.write(1, b'a\\xff\\n')\n",
            4,
            "its output has a byte that is not UTF-8, 0xFF",
            "`#>?` with ...",
        ),
        (
            "import random\nprint(random.random())\n",
            4,
            "another run",
            "set a seed, wait in the same statement for a process",
        ),
        ("import os\nos._exit(0)\n", 4, "exited", "exit code 0"),
        ("import sys\n_ = sys.stderr.write('x')\n", 4, "writes to stderr", "print it instead"),
        ("import time\nprint(1)\ntime.sleep(9)\n", 5, "timed out", "1 s"),
        ('print("\\\\b")\n"""\nx\n"""\n', 3, r"prints something other", "`#>` lines in place of the string"),
    ],
)
def test_a_refusal_of_bless_has_a_line_and_a_remedy(
    before: str,
    line: int,
    message: str,
    remedy: str,
    write: Callable[..., Snippet],
    python_server: EngineClient,
) -> None:
    snippet = write(before, timeout=1 if "sleep" in before else None)
    text = snippet.path.read_text()
    with pytest.raises(BlessError) as caught:
        blessing(snippet, python_server)
    line += bool(snippet.manifest.first_line)
    assert f"example.py:{line}: " in str(caught.value)
    assert re.search(message, str(caught.value))
    assert remedy in str(caught.value)
    assert snippet.path.read_text() == text


def test_bless_does_not_overwrite_an_edit(write: Callable[..., Snippet], python_server: EngineClient) -> None:
    blessed = blessing(write("print(1)\n"), python_server)
    blessed.snippet.path.write_text("edited")
    with pytest.raises(BlessError, match="changed on disk while it ran"):
        blessed.write()
    assert blessed.snippet.path.read_text() == "edited"
    assert len(list(blessed.snippet.path.parent.iterdir())) == 1


def test_bless_keeps_a_symbolic_link_and_the_file_mode(
    write: Callable[..., Snippet], python_server: EngineClient, tmp_path: Path
) -> None:
    path = write("print(1)\n").path
    target = tmp_path / "snippets" / "target.py"
    path.rename(target)
    target.chmod(0o640)
    path.symlink_to("target.py")
    blessed = blessing(load(path, path.parent), python_server)
    blessed.write()
    assert path.is_symlink() and target.read_text() == blessed.text
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("failing", ["tempfile.mkstemp", "os.fsync", "os.chmod", "os.replace"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_a_snippet_stays_unchanged_if_writing_fails(
    failing: str,
    error: BaseException,
    write: Callable[..., Snippet],
    python_server: EngineClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blessed = blessing(write("print(1)\n"), python_server)

    def fail(*arguments: object, **keywords: object) -> None:
        raise error

    monkeypatch.setattr(failing, fail)
    with pytest.raises((BlessError, KeyboardInterrupt)) as caught:
        blessed.write()
    if isinstance(error, OSError):
        message = "example.py: cannot be written: No space left on device\n    check the disk and the permissions;"
        assert message in str(caught.value)
    assert blessed.snippet.path.read_text() == blessed.snippet.text
    assert list(blessed.snippet.path.parent.iterdir()) == [blessed.snippet.path]


def test_a_diff_shows_how_much_a_number_changes(write: Callable[..., Snippet], python_server: EngineClient) -> None:
    blessed = blessing(write("print([1.0, 2.5])\n#> [1.0, 2.0]\n"), python_server)
    assert "-#> [1.0, 2.0]\n+#> [1.0, 2.5]\n" in blessed.diff()
    assert "[1] 2.0 -> 2.5  (absolute 0.5, relative 0.25)" in blessed.diff()


# Pairs of programs: with the blessed output of the first, the second must fail.
WITH_DOTS = {
    "a message": ("print('Loading model...')", "print('Loading model failed: ...')"),
    "another message": ("print('Loading model...')", "print('Loading model failed: no such file')"),
    "a summarized array": (
        "import numpy as np\nprint(np.arange(2000))",
        "import numpy as np\na = np.arange(2000)\na[2] = 7\na[1] = 5\nprint(a)",
    ),
    "numbers in place of dots": (
        "import numpy as np\nprint(np.arange(2000))",
        "import numpy as np\nprint('[   0    1    2   3    4 1997 1998 1999]')",
    ),
    "a type": ("print(tuple[int, ...])", "print(tuple[int, str])"),
    "a dict in itself": ("a = {}\na['a'] = a\nprint({'a': a})", "a = {}\na['a'] = a\nprint({'a': {'a': 1}})"),
    "a list in itself": ("a = []\na.append(a)\nprint(a)", "print([['x']])"),
    "rows of a wide frame": (
        "print('     0   ...  99\\n0    1   ...   1\\n..   ...  ...  ..')",
        "print('     0   ...  99\\n0    1   ...   1\\n17   20   30   40')",
    ),
    "dots alone": ("print('...')", "print('anything')"),
    "dots at the end of a line": (
        "print('Saved intermediate values ...')",
        "print('Saved intermediate values are freed')",
    ),
}


@pytest.mark.parametrize("name", WITH_DOTS)
def test_printed_dots_are_blessed_literally(
    name: str, write: Callable[..., Snippet], python_server: EngineClient
) -> None:
    before, after = WITH_DOTS[name]
    blessed = blessing(write(before), python_server).text.partition("\n\n")[2]
    assert "#>?" not in blessed
    expected = "".join(line for line in blessed.splitlines(True) if line.startswith("#>"))
    matching = write(f"{before}\n{expected}")
    assert compare(matching, python_server.run(matching)) == []
    mismatching = write(f"{after}\n{expected}")
    findings = compare(mismatching, python_server.run(mismatching))
    assert [finding.message for finding in findings] == ["prints something other than its #> lines say"]


OUTPUT = st.lists(
    st.one_of(
        st.text("ab01 .,[](){}<>'#>?!~-+=_", max_size=12),
        st.sampled_from(["...", " ...", "... ", "..", "{...}", "tuple[int, ...]", "?", "? ...", "\n", "[0 1 ... 8 9]"]),
        st.characters(codec="utf-8", exclude_categories=["C", "Z"]),
    ),
    min_size=1,
    max_size=8,
).map("".join)
CHANGE = st.sampled_from(["", "x", ".", "...", "0", " ", "\n", "?", "é"])


def run_that_prints(output: str) -> Run:
    return Run("torch", FINISHED, "", (StatementRun(output, "", None, ()),))


@settings(deadline=None, max_examples=400)
@given(st.data())
def test_any_change_of_blessed_output_is_a_finding(data: st.DataObject) -> None:
    """Check that any change of up to 3 characters is a finding, except in blanks at line ends, which editors remove."""
    output = data.draw(OUTPUT)
    before = data.draw(st.lists(OUTPUT.map(lambda text: "#> " + text.split("\n")[0]), max_size=3))
    snippet = parse_text("\n".join(['"""T."""', "", "print(x)", *before, ""]))
    blessed = bless(snippet, run_that_prints(output), [])
    blessed_snippet = parse_text(blessed.text)
    assert compare(blessed_snippet, run_that_prints(output)) == []
    assert output_lines(output) == [line.text for line in blessed_snippet.statements[0].output]
    start = data.draw(st.integers(0, len(output)))
    end = data.draw(st.integers(start, min(start + 3, len(output))))
    changed = output[:start] + data.draw(CHANGE) + output[end:]
    assume(output_lines(changed) != output_lines(output))
    assert compare(blessed_snippet, run_that_prints(changed)) != []
    assert "print(x)\n" + "".join(f"{line.source}\n" for line in blessed_snippet.statements[0].output) in blessed.text


@pytest.fixture
def two_engines(tmp_path: object) -> Project:
    """Create a project with engines `one` and `two`. On `two`, `Fraction` is a subclass of `Decimal`."""
    project = Project(tmp_path / "two", TWO_ENGINES)  # type: ignore[operator]
    (project.root / "other_fractions.py").write_text(
        "from decimal import Decimal\n\n\nclass Fraction(Decimal):\n    pass\n"
    )
    return project


def test_bless_refuses_output_on_which_the_engines_disagree(two_engines: Project) -> None:
    path = two_engines.snippet("a.py", "from fractions import Fraction\nprint(Fraction(1) / 2)")
    text = path.read_text()
    completed = two_engines.harness("bless", "snippets/a.py")
    assert completed.returncode == 1
    assert "snippets/a.py:4: not blessed: two disagrees with one" in completed.stdout
    assert "- 1/2" in completed.stdout and "+ 0.5" in completed.stdout
    assert "make the engines agree first" in completed.stdout
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("message", "expected"),
    [("This tensor has no rows. Add some.", "This tensor has no rows. ..."), ("a b", "a ...")],
)
def test_a_warning_is_shortened_so_that_it_matches_engines_without_a_location(
    message: str, expected: str, two_engines: Project
) -> None:
    program = f"""
from fractions import Fraction
from warnings import warn

location = "" if hasattr(Fraction, "sqrt") else " (Triggered internally at /a.cpp:1.)"
warn("{message}" + location)
"""
    path = two_engines.snippet("a.py", program)
    completed = two_engines.harness("bless", "snippets/a.py")
    assert completed.returncode == 0, completed.stdout
    assert f"#~ UserWarning: {expected}\n" in path.read_text()


def test_bless_can_use_one_engine_by_name(two_engines: Project) -> None:
    path = two_engines.snippet("a.py", "from fractions import Fraction\nprint(Fraction(1) / 2)\n#> 1")
    completed = two_engines.harness("bless", "--engine", "one", "--dry-run", "snippets/a.py")
    assert (completed.returncode, "-#> 1\n+#> 1/2" in completed.stdout) == (0, True)
    assert "#> 1\n" in path.read_text()
    completed = two_engines.harness("bless", "--engine", "one", "snippets/a.py")
    assert (completed.returncode, "#> 1/2\n" in path.read_text()) == (0, True)
    completed = two_engines.pytest("snippets/a.py")
    assert completed.returncode == 1
    assert "two is wrong: one prints what the page says" in completed.stdout


def test_a_report_says_which_engines_agree_with_the_page(two_engines: Project) -> None:
    two_engines.snippet("page.py", "print(1)\n#> 2")
    two_engines.snippet("one.py", "from fractions import Fraction\nprint(Fraction(1) / 2)\n#> 0.5")
    two_engines.snippet("both.py", "from fractions import Fraction\nprint(Fraction(1) / 2)\n#> 3")
    two_engines.snippet("alone.py", "print(1)\n#> 2", "# engines: one -- reason\n")
    for name, message in {
        "page.py": "the page is stale: one, two agree with each other",
        "one.py": "one changed: two still prints what the page says",
        "both.py": "one, two differ from the page, and from each other",
        "alone.py": "An example.\n\nsnippets/alone.py:5: prints",
    }.items():
        completed = two_engines.pytest(f"snippets/{name}")
        assert completed.returncode == 1
        assert message in completed.stdout, completed.stdout


def test_a_replaced_module_is_the_same_module_under_both_names(two_engines: Project) -> None:
    package = two_engines.root / "stand_in"
    package.mkdir()
    (package / "__init__.py").write_text("from stand_in import part\nvalue = 1\n")
    (package / "part.py").write_text("class A:\n    pass\n")
    (package / "late.py").write_text("from stand_in.part import A\n")
    engine = Engine("e", preload=("stand_in",), replace={"real": "stand_in"}, path=(str(two_engines.root),))
    path = two_engines.snippet(
        "a.py",
        """
        import real
        import real.part as part
        import real.late
        from real.late import A
        import stand_in.late
        print(real.part is part, A is part.A, real.late is stand_in.late, real.value, real.__name__)
        #> True True True 1 stand_in
        import real.nothing
        #! ModuleNotFoundError: No module named 'real.nothing'
        """,
    )
    snippet = load(path, two_engines.root / "snippets")
    with EngineClient(engine) as server:
        assert compare(snippet, server.run(snippet)) == []


def test_bless_reports_an_engine_that_cannot_be_imported(two_engines: Project) -> None:
    (two_engines.root / "other_fractions.py").write_text("raise RuntimeError('broken today')")
    two_engines.snippet("a.py", "print(1)\n#> 1")
    completed = two_engines.harness("bless")
    assert completed.returncode == 2
    assert "engine 'two' cannot be imported" in completed.stderr
    assert "broken today" in completed.stderr


def test_plain_python_is_an_engine_that_preloads_nothing() -> None:
    assert PYTHON.preload == ()


def test_a_diff_that_the_terminal_cannot_encode_is_escaped(project: Project) -> None:
    path = project.snippet("a.py", "print('é')")
    completed = project.harness("bless", PYTHONUTF8="0", LC_ALL="C")
    assert (completed.returncode, "+#> \\xe9\n" in completed.stdout) == (0, True), completed.stderr
    assert path.read_text(encoding="utf-8").endswith("#> é\n")


def test_unordered_output_is_not_blessed(project: Project) -> None:
    path = project.snippet("a.py", "print({'alpha', 'beta', 'gamma'})")
    before = path.read_text()
    completed = project.harness("bless")
    assert (completed.returncode, path.read_text()) == (1, before), completed.stdout
    assert "snippets/a.py:3: not blessed: another run on python prints something other" in completed.stdout
    assert "sort unordered values" in completed.stdout
    path.write_text(before.replace("{'alpha', 'beta', 'gamma'}", "sorted({'alpha', 'beta', 'gamma'})"))
    assert project.harness("bless").returncode == 0
    assert "#> ['alpha', 'beta', 'gamma']" in path.read_text()
    assert "unchanged a.py" in project.harness("bless").stdout


def test_output_that_depends_on_the_local_date_is_not_blessed(project: Project) -> None:
    """Check that `bless` compares runs in two time zones whose dates always differ."""
    path = project.snippet(
        "a.py", "import datetime\n\nprint(datetime.date.today().year > 2000)\nprint(datetime.date.today())"
    )
    completed = project.harness("bless")
    assert completed.returncode == 1
    assert "snippets/a.py:6: not blessed: another run on python prints something other" in completed.stdout, (
        completed.stdout
    )
    assert "the local time" in completed.stdout
    path.write_text(path.read_text().rsplit("\n", 2)[0] + "\n")
    assert project.harness("bless").returncode == 0


def test_unordered_output_is_detected_by_another_hash_seed(project: Project) -> None:
    """Check that a line that is right only with hash seed 0 fails with seed 7, and that a seed excludes --snippet-cache."""
    project.snippet("a.py", "print(hash('alpha') % 1000)\n#> 0")
    match = re.search(r"\+ (\d+)", project.pytest().stdout)
    assert match
    project.snippet("a.py", f"print(hash('alpha') % 1000)\n#> {match[1]}")
    assert project.pytest().returncode == 0
    assert project.pytest("--snippet-hash-seed", "7").returncode == 1
    completed = project.pytest("--snippet-hash-seed", "7", "--snippet-cache")
    assert (completed.returncode, "leave out --snippet-cache" in completed.stderr) == (4, True)


def test_bless_refuses_the_path_of_the_project(project: Project) -> None:
    """Check that a path that the program names, and a `#>?` line, are blessed."""
    path = project.snippet("a.py", "import pathlib\nprint(pathlib.Path(__file__).parents[1])\n")
    completed = project.harness("bless")
    assert (completed.returncode, completed.stdout) == (
        1,
        f"snippets/a.py:4: not blessed: its output shows '{project.root.resolve()}', a path of this machine\n"
        "    print only the name, or write a `#>?` line by hand, with ... for the path\n",
    )
    path.write_text(path.read_text() + "#>? .../project\n")
    assert project.harness("bless").stdout == "unchanged a.py\n"
    project.snippet("a.py", f"print({str(project.root.resolve())!r})\n")
    assert project.harness("bless").returncode == 0


LINE_NUMBERS = {
    "traceback": "import traceback\nprint(1)\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    print(traceback.format_exc().replace(__file__, 'a.py'))\n",
    "frame": "import inspect\nprint(1)\nprint(inspect.currentframe().f_lineno)\n",
    "warning": "import sys, warnings\nprint(1)\nwarnings.showwarning = lambda *a: print(a[3])\nwarnings.warn('x')\n",
    "a loop over the lines that it prints": (
        "import inspect\nfor i in range(3): print(i)\nfor i in range(inspect.currentframe().f_lineno): print(i)\n"
        "print(inspect.currentframe().f_lineno)\n"
    ),
}


@pytest.mark.parametrize("name", LINE_NUMBERS)
def test_a_program_that_prints_its_line_numbers_is_green_after_one_bless(project: Project, name: str) -> None:
    path = project.snippet("a.py", LINE_NUMBERS[name])
    before = path.read_text()
    dry_run = project.harness("bless", "--dry-run").stdout
    assert path.read_text() == before
    completed = project.harness("bless")
    assert completed.returncode == 0, completed.stdout
    assert completed.stdout.partition("\nblessed")[0] == dry_run.partition("\nnot written")[0]
    assert project.harness("bless").stdout == "unchanged a.py\n"


def test_the_second_example_of_a_page_may_print_its_line_number(project: Project) -> None:
    (project.root / "pyproject.toml").write_text("[tool.snippetcheck]\nexamples = ['docs/*.md']\n")
    fences = [
        "print(1)\n#> 0\nprint(2)",
        "import inspect\nprint(inspect.currentframe().f_lineno)\n#> 0\n",
        "print(3)\n#> 0",
    ]
    project.page("a.md", "\n".join(f"```python\n{fence}\n```\n" for fence in fences))
    assert project.harness("bless").returncode == 0
    assert project.harness("bless").stdout.count("unchanged") == 3


def test_lines_that_move_with_each_bless_are_refused(project: Project) -> None:
    chain = "for i in range(inspect.currentframe().f_lineno): print(i)\n"
    path = project.snippet("a.py", f"import inspect\n{chain * 5}")
    before = path.read_text()
    completed = project.harness("bless")
    assert (completed.returncode, path.read_text()) == (1, before)
    assert "snippets/a.py:3: not blessed: what it prints depends on its line numbers" in completed.stdout
