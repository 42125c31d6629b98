"""Unusual layouts, comments and exits: valid programs pass, differences are findings, and ambiguous lines are refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sample_projects import Project, parse_text
from snippetcheck.compare import Finding, compare
from snippetcheck.outcome import Run
from snippetcheck.snippet import SnippetError, excerpt_parts, excerpt_span, load, parse

HEAD = '"""An example."""\n'
GREEN = {
    "shebang": "#!/usr/bin/env python\n" + HEAD + "print(1)\n#> 1\n",
    "shebang with a blank": "#! /usr/bin/python3 -u\n# -*- coding: utf-8 -*-\n" + HEAD + "print(1)\n#> 1\n",
    "arrow in a comment": HEAD + "x = 1 + 2  # => 3\n# => 4\nprint(x)\n#> 3\n",
    "comparisons in comments": HEAD + "\n# >= 3 of them\nx = 4  # > 3\ny = 5  #>=3\n# != 0\nprint(x)  # ~4\n#> 4\n",
    "commands of a notebook in comments": HEAD + "\n# !pip install torch\n#!ls\nprint(1)\n#> 1\n",
    "prompts and home folders in comments": HEAD + "\n# >>> x\n# ~/data holds it\n# ~5 s\nprint(1)\n#> 1\n",
    "folding markers of an editor": HEAD + "#region Setup of it\nx = 1\n#endregion\n# region Next\nprint(x)\n# endregion\n".replace(
        "print(x)\n", "print(x)\n#> 1\n"
    ),
    "folding markers in a function": HEAD + "def f():\n    # region Inner\n    return 1\n    # endregion\n\n\nprint(f())\n#> 1\n",
    "a region between folding markers": HEAD + "#region All\n# region: a\nprint(1)\n#> 1\n# endregion\n#endregion\n",
    "a comment about a region": HEAD + "# region of interest: the first row\nprint(1)\n#> 1\n",
    "emoji of three characters": HEAD + "print('👩\u200d🚀')\n#> 👩\u200d🚀\n",
    "word with a joiner": HEAD + "print('می\u200cخواهم')\n#> می\u200cخواهم\n",
    "two statements in a line": HEAD + "x = 1; print(x)\n#> 1\ny = 2; z = '''a\nb'''; print(z)\n#> a\n#> b\n",
    "an import from __future__ before a semicolon": HEAD
    + "from __future__ import annotations; import sys\ndef f(x: nowhere): ...\nprint(f.__annotations__)\n#> {'x': 'nowhere'}\n",
    "script metadata under the docstring": HEAD
    + '# /// script\n# requires-python = ">=3.11"\n# dependencies = [\n#   "numpy",\n# ]\n# ///\n\nprint(1)\n#> 1\n',
    "script metadata under the manifest": HEAD + "# timeout: 5\n# /// script\n# dependencies = []\n# ///\nprint(1)\n#> 1\n",
    "script metadata above the docstring": "# /// script\n# dependencies = []\n# ///\n" + HEAD + "print(1)\n#> 1\n",
    "main function": HEAD
    + "import sys\ndef main():\n    print(1)\n    return 0\n\nif __name__ == '__main__':\n    sys.exit(main())\n#> 1\n",
    "main function that returns None": HEAD + "import sys\ndef main():\n    print(1)\n\nsys.exit(main())\n#> 1\n",
    "exit without a status": HEAD + "print(1)\n#> 1\nraise SystemExit\n",
    "exit that is expected": HEAD + "raise SystemExit(0)\n#! SystemExit: 0\n",
    "string that contains an expected line": HEAD
    + 'import inspect\ndef f():\n    return """\n#> hi\n"""\n\nprint(inspect.getsource(f), end="")\n'
    + '#> def f():\n#>     return """\n#> #> hi\n#> """\n',
}  # fmt: skip
RED = {
    "exit with a status": (HEAD + "import sys\nsys.exit(3)\n", "raises SystemExit, and has no #! line"),
    "exit with a text": (HEAD + "import sys\nsys.exit('0')\n", "raises SystemExit, and has no #! line"),
    "exit with a float": (HEAD + "import sys\nsys.exit(0.0)\n", "raises SystemExit, and has no #! line"),
    "exit above other statements": (HEAD + "import sys\nsys.exit(0)\nx = 1\n", "raises SystemExit, and has no #! line"),
    "arrow in place of an expected line": (HEAD + "print(1)\n# => 1\n", "prints 1 line and has no #> line"),
    "second statement of a line": (HEAD + "x = 1; print(x)\n#> 2\n", "prints something other than its #> lines say"),
    "error in the second statement": (HEAD + "x = 1; 1 / 0\n", "raises ZeroDivisionError, and has no #! line"),
}
REFUSED = {
    "joiner between letters": (HEAD + "x = 'a\u200db'\n", r"invisible character, U\+200D ZERO WIDTH JOINER"),
    "joiner at the end": (HEAD + "print('é')\n#> é\u200d\n", r"invisible character, U\+200D"),
    "error without a blank": (HEAD + "1 / 0\n#!ZeroDivisionError: division by zero\n", "nearly an expected line"),
    "error of an extension module without a blank": (HEAD + "f()\n#!struct.error: x\n", "nearly an expected line"),
    "error with a blank before": (HEAD + "1 / 0\n# ! ZeroDivisionError: division by zero\n", "nearly an expected line"),
    "warning without a blank": (HEAD + "f()\n#~UserWarning: x\n", "nearly an expected line"),
    "warning with a blank before": (HEAD + "f()\n# ~ UserWarning: x\n", "nearly an expected line"),
    "bare sign with a blank before": (HEAD + "f()\n# !\n", "nearly an expected line"),
    "statement behind the title": ('"""T."""; x = 1\n', "has a statement in the line of the title"),
    "region that ends with a folding marker": (
        HEAD + "# region: a\n# region of interest\nx = 1\n# endregion\n",
        "region 'a' never ends",
    ),
}


@pytest.fixture
def run(tmp_path: Path, python_server: Any) -> Callable[[str], tuple[Run, list[Finding]]]:
    """Return a function that runs a whole snippet text on plain Python, and returns the run and its findings."""

    def run(text: str) -> tuple[Run, list[Finding]]:
        path = tmp_path / "example.py"
        path.write_text(text, encoding="utf-8")
        snippet = load(path, tmp_path)
        run = python_server.run(snippet)
        return run, compare(snippet, run)

    return run


@pytest.mark.parametrize("name", GREEN)
def test_valid_programs_pass_and_print_what_plain_python_prints(
    name: str, run: Callable[[str], tuple[Run, list[Finding]]], tmp_path: Path
) -> None:
    completed, findings = run(GREEN[name])
    assert (findings, completed.outcome) == ([], "finished")
    plain = subprocess.run([sys.executable, str(tmp_path / "example.py")], capture_output=True, encoding="utf-8")
    assert (plain.stdout, plain.returncode) == ("".join(statement.output for statement in completed.statements), 0)


@pytest.mark.parametrize("name", RED)
def test_wrong_output_and_unexpected_exits_are_findings(
    name: str, run: Callable[[str], tuple[Run, list[Finding]]]
) -> None:
    text, message = RED[name]
    _, findings = run(text)
    assert findings[0].message == message


@pytest.mark.parametrize("name", REFUSED)
def test_lines_that_could_be_misread_are_refused(name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(SnippetError, match=message):
        parse(text, "a.py", "a.py")


def test_an_excerpt_omits_region_markers() -> None:
    """Check that an excerpt omits region and folding markers, but not comments and lines of strings that resemble them."""
    snippet = parse_text(
        HEAD + "\n#region All\n# region: a\nx = '''\n# region: b\n'''\n# endregion\n#endregion\n# region of x\n"
    )
    lines = [
        snippet.lines[number - 1] for _, numbers in excerpt_parts(snippet, *excerpt_span(snippet)) for number in numbers
    ]
    assert lines == ["x = '''", "# region: b", "'''", "# region of x"]


def test_bless_adds_no_error_line_to_a_successful_exit(project: Project) -> None:
    path = project.snippet("a.py", "import sys\nprint(1)\nsys.exit(0)")
    completed = project.harness("bless")
    assert (completed.returncode, path.read_text().endswith("print(1)\n#> 1\nsys.exit(0)\n")) == (0, True), (
        completed.stdout
    )


def test_a_warning_of_the_parser_about_a_snippet_does_not_end_pytest(project: Project) -> None:
    """Check under `-W error` that a warning of Python's parser about an escape in a snippet does not end pytest."""
    warning = "\n#~ SyntaxWarning: invalid escape sequence '\\d'"
    if sys.version_info >= (3, 14):
        warning = (
            '\n#~ SyntaxWarning: "\\d" is an invalid escape sequence. Such sequences will not work in the future. ...'
        )
    elif sys.version_info < (3, 12):  # Python hides it
        warning = ""
    project.snippet("a.py", "import re\nprint(re.match('\\d', '1').end())\n#> 1" + warning)
    for arguments in ([], ["-W", "error"]):
        completed = project.pytest(*arguments)
        assert "is not Python" not in completed.stdout and "invalid escape" not in completed.stdout, completed.stdout
        assert completed.returncode == 0, completed.stdout
