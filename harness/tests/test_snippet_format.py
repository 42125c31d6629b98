"""The parser reads every element of a snippet, and reports each mistake with its line and a remedy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from sample_projects import ENGINES, parse_text
from snippetcheck.snippet import Rules, SnippetError, excerpt_span, load, parse

GOOD = '''\
"""A tensor that is not a leaf keeps its gradient
only when asked."""
# covers: autograd.retain-grad, hooks.order
# engines: torch -- it needs a GPU
# timeout: 2.5

import torch

# region: fix
x = torch.ones(
    2,
)
print(x)
#> tensor([1., 1.])
#> and ... more
#~ UserWarning: one
#~ goes on
#~ FutureWarning: two
# endregion


@decorated
def f():
    text = """
#> not an expectation
"""


f()
#! pkg.SomeError: first line
#! second line
'''


def test_the_parser_reads_every_element_of_a_snippet() -> None:
    snippet = parse(GOOD, "a/b.py", "b.py")
    assert snippet.title == "A tensor that is not a leaf keeps its gradient only when asked."
    assert snippet.title_last_line == 2
    assert snippet.manifest.covers == ("autograd.retain-grad", "hooks.order")
    assert snippet.manifest.engines == ("torch",)
    assert snippet.manifest.engines_reason == "it needs a GPU"
    assert snippet.manifest.timeout == 2.5
    assert (snippet.manifest.first_line, snippet.manifest.last_line) == (3, 5)
    assert [(statement.first, statement.last) for statement in snippet.statements] == [
        (7, 7),
        (10, 12),
        (13, 13),
        (22, 26),
        (29, 29),
    ]
    printing = snippet.statements[2]
    assert [(line.line, line.text) for line in printing.output] == [(14, "tensor([1., 1.])"), (15, "and ... more")]
    assert [(w.line, w.last_line, w.type, w.message) for w in printing.warnings] == [
        (16, 17, "UserWarning", "one\ngoes on"),
        (18, 18, "FutureWarning", "two"),
    ]
    assert printing.block_last == 18
    error = snippet.statements[4].error
    assert error is not None
    assert (error.type, error.message, error.line, error.last_line) == (
        "pkg.SomeError",
        "first line\nsecond line",
        30,
        31,
    )
    assert snippet.regions == {"fix": (10, 18)}
    assert snippet.lines[12] == "print(x)"


HEAD = '"""Title."""\n'

MISTAKES = {
    "empty title": ('"""  """\nx = 1\n', 1, "empty title", "one sentence"),
    "no statements": (HEAD, 1, "no statements", "write the program"),
    "not Python": (HEAD + "x = = 1\n", 2, "is not Python", "correct the syntax"),
    "empty": ("\n", 1, "is empty", "remove the file"),
    "no line end": (HEAD + "x = 1", 2, "does not end in a newline", "add one"),
    "carriage return": (HEAD + "x = 1\r\n", 2, "carriage return", "Unix line endings"),
    "byte order mark": ("\ufeff" + HEAD + "x = 1\n", 1, "byte order mark", "without BOM"),
    "control character": (HEAD + "print(1)\n#> \x1b[1m1\n", 3, "invisible character, U+001B", "`#>?` with ..."),
    "character that reverses text": (
        HEAD + "x = '\u202e'\n",
        2,
        "invisible character, U+202E RIGHT-TO-LEFT OVERRIDE",
        "write an escape",
    ),
    "blank without width": (
        HEAD + "print(1)\n#> 1\u200b\n",
        3,
        "invisible character, U+200B ZERO WIDTH SPACE",
        "write an escape",
    ),
    "other encoding": ("# coding: latin-1\n" + HEAD + "x = 1\n", 1, "encoding latin-1", "UTF-8"),
    "expression nested too deeply": (HEAD + "x = " + "-" * 100_000 + "1\n", 1, "nested too deeply", "fewer"),
    "misspelt key": (
        HEAD + "# cover: a.b\n\nx = 1\n",
        2,
        "unknown manifest key 'cover'",
        "did you mean covers? If not, use one of covers",
    ),
    "unknown key": (HEAD + "# note: a.b\n\nx = 1\n", 2, "unknown manifest key 'note'", "use one of covers"),
    "comment of a linter": (HEAD + "# ruff: noqa\n\nx = 1\n", 2, "unknown manifest key 'ruff'", "a blank line above"),
    "repeated key": (HEAD + "# needs: a\n# needs: b\n\nx = 1\n", 3, "'needs' is repeated", "line 2"),
    "empty key": (HEAD + "# needs:\n\nx = 1\n", 2, "'needs' has no value", "remove the line"),
    "no key at all": (HEAD + "# just words\n\nx = 1\n", 2, "not a manifest line", "blank line"),
    "stray manifest": (HEAD + "\n# covers: a.b\nx = 1\n", 3, "is not directly under the docstring", "line 2"),
    "late manifest": (HEAD + "# needs: a\n\nx = 1\n# timeout: 3\n", 5, "'timeout' is not directly under", "line 3"),
    "idea covered twice": (HEAD + "# covers: a.b a.b\n\nx = 1\n", 2, "is repeated", "remove one"),
    "unknown engine": (HEAD + "# engines: tensorflow -- why\n\nx = 1\n", 2, "unknown engine", "use one of torch"),
    "engine without reason": (HEAD + "# engines: torch\n\nx = 1\n", 2, "without a reason", "torch -- reason"),
    "engine with empty reason": (HEAD + "# engines: torch --\n\nx = 1\n", 2, "without a reason", "-- reason"),
    "reason without engine": (
        HEAD + "# engines: -- reason\n\nx = 1\n",
        2,
        "a name is missing",
        "as in `torch, reference_impl`",
    ),
    "default engines": (HEAD + "# engines: torch reference_impl\n\nx = 1\n", 2, "is the default", "remove"),
    "timeout in words": (
        HEAD + "# timeout: long\n\nx = 1\n",
        2,
        "must be a number of seconds",
        "use a number from 1 to",
    ),
    "timeout of 0": (HEAD + "# timeout: 0\n\nx = 1\n", 2, "must be a number of seconds", "use a number from 1 to"),
    "timeout too long": (
        HEAD + "# timeout: 9999\n\nx = 1\n",
        2,
        "must be a number of seconds",
        "use a number from 1 to",
    ),
    "no blank after sign": (HEAD + "print(1)\n#>1\n", 3, "nearly an expected line", "one space"),
    "blank before sign": (HEAD + "print(1)\n# > 1\n", 3, "nearly an expected line", "one space"),
    "two blanks before sign": (HEAD + "print(1)\n#  ! E: x\n", 3, "nearly an expected line", "one space"),
    "expected line after code": (HEAD + "print(1)  #> 1\n", 2, "stands after code", "separate line"),
    "indented too far": (HEAD + "for i in 1, 2:\n    print(i)\n      #> 1\n", 4, "like a statement above", "column 0"),
    "indented error": (HEAD + "for i in 1, 2:\n    int(i)\n    #! E: 1\n", 4, "is indented", "column 0"),
    "after a blank line": (HEAD + "print(1)\n\n#> 1\n", 4, "must stand directly under", "blank line or comment"),
    "after a comment": (HEAD + "print(1)\n# see\n#> 1\n", 4, "must stand directly under", "blank line or comment"),
    "before any statement": (HEAD + "#> 1\nprint(1)\n", 2, "must stand directly under", "blank line or comment"),
    "under the title": (HEAD + "# needs: a\n#> 1\nx = 1\n", 3, "must stand directly under", "blank line or comment"),
    "inside a statement": (HEAD + "x = [\n#> 1\n]\n", 3, "must stand directly under", "blank line or comment"),
    "output split": (HEAD + "print(1)\n#> 1\n#~ UserWarning: x\n#> 2\n", 5, "separated by other lines", "together"),
    "address": (HEAD + "print(o)\n#> <object at 0x7f12ab34cd56>\n", 3, "an address", "write ... instead"),
    "no error type": (HEAD + "f()\n#! the message only\n", 3, "names no error type", "RuntimeError: message"),
    "message of dots only": (HEAD + "f()\n#! RuntimeError: ...\n", 3, "no word of the message", "first words"),
    "error above other statements": (
        HEAD + "f()\n#! RuntimeError: x\nf()\n",
        3,
        "never run",
        "catch the error and print it",
    ),
    "message of dots twice": (HEAD + "f()\n#! RuntimeError: ... ...\n", 3, "no word of the message", "first words"),
    "wildcards only": (HEAD + "f()\n#>? x ... y\n#>? ... ...\n", 4, "nothing but wildcards", "a word of the line"),
    "line of six dots": (HEAD + "f()\n#>? ......\n", 3, "nothing but wildcards", "a word of the line"),
    "warning of < and dots": (HEAD + "f()\n#~ UserWarning: < ...\n", 3, "no word of the warning", "first words"),
    "dots that are not a wildcard": (HEAD + "f()\n#>? x. .. y\n", 3, "#>? without a wildcard", "or #> if nothing does"),
    "an empty line with wildcards": (HEAD + "f()\n#>?\n", 3, "#>? without a wildcard", "write ... for what varies"),
    "no space behind the mark": (HEAD + "f()\n#>?x ...\n", 3, "nearly an expected line", "`#>? text ...`"),
    "line with wildcards apart from the others": (
        HEAD + "f()\n#> 1\n#~ UserWarning: x\n#>? 2 ...\n",
        5,
        "#> lines are separated by other lines",
        "keep the #> lines",
    ),
    "no warning category": (HEAD + "f()\n#~ beware\n", 3, "names no warning", "UserWarning: text"),
    "warning of dots only": (HEAD + "f()\n#~ UserWarning: ...\n", 3, "no word of the warning", "first words"),
    "region without name": (HEAD + "# region:\nx = 1\n# endregion\n", 2, "not a region", "`# region: name`"),
    "region in capitals": (HEAD + "# region: Fix\nx = 1\n# endregion\n", 2, "not a region", "lower case"),
    "region twice": (
        HEAD + "# region: a\nx = 1\n# endregion\n# region: a\nx = 1\n# endregion\n",
        5,
        "'a' is repeated",
        "rename one",
    ),
    "region without end": (HEAD + "# region: a\nx = 1\n", 2, "never ends", "`# endregion`"),
    "end without region": (HEAD + "x = 1\n# endregion\n", 3, "none is open", "before it"),
    "end of a region in a fold": (
        HEAD + "# region: a\n# region fold\nx = 1\n# endregion: a\n# endregion\n",
        5,
        "ends a region before the fold inside it",
        "write `# endregion` before it",
    ),
    "end of another region": (
        HEAD + "# region: a\nx = 1\n# endregion: b\n",
        4,
        "names another region than 'a', which must end first",
        "write",
    ),
    "empty region": (HEAD + "# region: a\n# endregion\nx = 1\n", 2, "is empty", "enclose a statement"),
    "region inside a statement": (
        HEAD + "def f():\n    # region: a\n    return 1\n    # endregion\n",
        3,
        "inside a statement",
        "whole top-level",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_reported_with_line_and_remedy(name: str) -> None:
    text, line, message, remedy = MISTAKES[name]
    with pytest.raises(SnippetError) as caught:
        parse(text, "snippets/a.py", "a.py", Rules(ENGINES))
    assert caught.value.line == line
    assert message in caught.value.message
    assert remedy in caught.value.remedy
    assert str(caught.value).startswith(f"snippets/a.py:{line}: ")


def test_without_a_list_of_engines_any_name_is_accepted() -> None:
    snippet = parse(HEAD + "# engines: numpy -- it is about NumPy\n\nx = 1\n", "a.py", "a.py")
    assert (snippet.manifest.engines, snippet.manifest.engines_reason) == (("numpy",), "it is about NumPy")
    assert parse(HEAD + "\nx = 1\n", "a.py", "a.py").manifest.engines == ()


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SnippetError, match="cannot be read: No such file"):
        load(tmp_path / "none.py", tmp_path)


def test_a_file_outside_the_snippets_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(HEAD + "x = 1\n")
    with pytest.raises(SnippetError, match="is not below"):
        load(file, tmp_path / "snippets")


def test_invalid_utf8_is_reported_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(HEAD.encode() + b"x = 1\n# \xff\n")
    with pytest.raises(SnippetError) as caught:
        load(file, tmp_path)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("x = 1\nfrom __future__ import annotations\n", 3, "must occur at the beginning"),
        ("x = 1\nreturn\n#! SyntaxError: 'return' outside function ...\n", 3, "'return' outside function"),
    ],
)
def test_programs_that_python_cannot_compile_are_refused(body: str, line: int, message: str, tmp_path: Path) -> None:
    """Check programs that Python can parse but not compile."""
    file = tmp_path / "a.py"
    file.write_text(HEAD + body)
    with pytest.raises(SnippetError, match=f"a.py:{line}: is not Python: .*{message}"):
        load(file, tmp_path)


def test_a_named_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    with pytest.raises(SnippetError, match="not a regular file"):
        load(tmp_path / "a.py", tmp_path)


def test_an_expected_line_in_a_string_is_text() -> None:
    text = dedent('''
        """Title."""

        text = """
        #> 1
        # covers: a
        """
        print(len(text))
        #> 17
    ''').lstrip()
    snippet = parse(text, "a.py", "a.py")
    assert [len(statement.output) for statement in snippet.statements] == [0, 1]


def test_the_title_may_be_missing() -> None:
    snippet = parse_text("# Read the numbers.\nx = 1\nprint(x)\n#> 1\n")
    assert (snippet.title, snippet.manifest.first_line, excerpt_span(snippet)) == ("", None, (1, 4))
    snippet = parse_text("#!/usr/bin/python\n# timeout: 3\n\nx = 1\n")
    assert (snippet.manifest.timeout, excerpt_span(snippet)) == (3, (3, 4))
    with pytest.raises(SnippetError, match=":2: manifest key 'timeout' is not directly under"):
        parse_text("# Read the numbers.\n# timeout: 3\nx = 1\n")


def test_expected_lines_may_stand_under_a_nested_statement() -> None:
    text = """\
        for word in "ab":
            print(word)
            #> a
            #>? b...
        else:
            with open("x") as file:
                print("end")
                #> end
        #> last
        print("under", "it")
        \"\"\"
        under
          it
        \"\"\"
        try:
            pass
        finally:
            print("x")
            '''
            x
            '''
        """
    loop, call, string, block = parse_text(text).statements
    assert [(line.line, line.text) for line in loop.output] == [(3, "a"), (4, "b..."), (8, "end"), (9, "last")]
    assert [(line.line, line.text) for line in call.output] == [(12, "under"), (13, "  it")]
    assert (call.text_lines, string.output, block.text_lines) == ((11, 14), (), (19, 21))
    assert [(line.line, line.text) for line in block.output] == [(20, "x")]


@pytest.mark.parametrize("text", ['print(1)\n\n"""\n1\n"""\n', 'x = 1\n"""\n1\n"""\n', 'print(1)\n"""1"""\n'])
def test_only_a_string_directly_under_a_print_is_expected_output(text: str) -> None:
    assert not any(statement.output for statement in parse_text(text).statements)


@pytest.mark.parametrize(
    ("name", "program", "module"),
    [
        ("random.py", "import random", "random"),
        ("mean.py", "def f():\n    from decimal import Decimal", "decimal"),
        ("own_package.py", "import own_package", "own_package"),
        ("mean.py", "import helper\nimport sys, os, time", None),
        ("time.py", "import time", None),
    ],
)
def test_a_module_that_a_file_beside_the_program_hides_is_an_error(
    name: str, program: str, module: str | None, tmp_path: Path
) -> None:
    """Check the names that plain Python looks up beside the program, and not those of modules that it contains or starts with."""
    for neighbor in ("decimal.py", "helper.py", "sys.py", "os.py", "time.py"):
        (tmp_path / neighbor).write_text("x = 1\n")
    path = tmp_path / name
    path.write_text(f"{program}\n")
    if module is None:
        assert load(path, tmp_path).imports
        assert subprocess.run([sys.executable, path]).returncode == 0
        return
    with pytest.raises(SnippetError, match=f"imports '{module}', and .* gets {module}.py") as caught:
        load(path, tmp_path)
    assert caught.value.remedy == f"rename the snippet {module}.py"
