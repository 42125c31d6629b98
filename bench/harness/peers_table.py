"""Check each claim of the table of tools in docs/use-the-harness/index.md with a small example.

    .venv/bin/python bench/harness/peers_table.py

Each tool is installed below ~/.cache/gradnotes-peers. For each claim, a line says whether it is true. The exit code is 1 if a claim is
false.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from peers import Tool

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
PACKAGES = {
    "doctest": None,
    "xdoctest": "xdoctest",
    "sybil": "sybil",
    "pytest-examples": "pytest-examples",
    "byexample": "byexample",
    "mktestdocs": "mktestdocs",
    "this harness": None,
}

# Examples for the tools: wrong and right output, an error, an exit, an endless loop
WRONG, RIGHT = ">>> 1 + 1\n3\n", ">>> 1 + 1\n2\n"
EXITS, HANGS = ">>> import os\n>>> os._exit(0)\n", ">>> while True: pass\n...\n"
PRINTS_ONE, RAISES = "print(1)\n#> 2\n", "1 / 0\n"
EXITING_FENCE, GREEN_FENCE = "import os\n\nos._exit(0)\nprint(1)\n#> 1\n", "print(1)\n#> 1\n"


@dataclass(frozen=True)
class Setup:
    """The files of a small project, by name, and the arguments of the Python command that checks it."""

    files: dict[str, str]
    arguments: tuple[str, ...]

    def run(self, python: Path) -> tuple[int, str]:
        """Run the command in a temporary folder with the files, and return its exit code and output."""
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            for name, text in self.files.items():
                Path(folder, name).write_text(text)
            command = [str(python), *self.arguments]
            process = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
        return process.returncode, process.stdout + process.stderr


def fence(text: str, info: str = "python") -> str:
    """Return a Markdown fence with this content and info string."""
    return f"```{info}\n{text}```\n\n"


def docstring(text: str) -> str:
    """Return the source of a module with a function whose docstring contains `text`."""
    body = "".join(f"    {line}\n" for line in text.splitlines())
    return f'def f():\n    """Do nothing.\n\n{body}    """\n'


def notebook(text: str) -> str:
    """Return the JSON of a notebook with one code cell."""
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": 1, "source": text}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


def doctest(**files: str) -> Setup:
    """Set up doctest as pytest runs it. `files` are the files by name, with `_` instead of the dot: `a_md` is a.md."""
    options = ("-p", "no:snippetcheck", "--doctest-modules", "--doctest-glob=*.md")
    return Setup({name.replace("_", "."): text for name, text in files.items()}, (*PYTEST, *options))


def xdoctest(text: str, name: str = "m.py") -> Setup:
    """Set up xdoctest for a docstring in the file `name`, a module or a notebook."""
    source = docstring(text)
    content = notebook(source) if name.endswith(".ipynb") else source
    return Setup({name: content}, ("-m", "xdoctest", name, "all"))


def sybil(parser: str, text: str, name: str = "page.rst", options: str = "") -> Setup:
    """Set up Sybil with one parser, such as "rest.DocTestParser()", an expression relative to `sybil.parsers`.

    Args:
        options: additional arguments of `Sybil`, as source text.
    """
    module, _, parser_class = parser.partition(".")
    types = "document_types={'.py': PythonDocStringDocument}"
    lines = ["from sybil import Sybil", "from sybil.document import PythonDocStringDocument", "import subprocess"]
    lines += [f"from sybil.parsers.{module} import {parser_class.partition('(')[0]}", f"parsers = [{parser_class}]"]
    lines += [f"pytest_collect_file = Sybil(parsers=parsers, patterns=[{name!r}], {types}, {options}).pytest()"]
    return Setup({"conftest.py": "\n".join(lines), name: text}, (*PYTEST, "-p", "no:snippetcheck"))


def pytest_examples(text: str, method: str = "run_print_check", name: str = "a.md", option: str = "-rf") -> Setup:
    """Set up pytest-examples with a test that calls `method` of the fixture `eval_example` for each example."""
    lines = ["import pytest", "from pytest_examples import find_examples"]
    lines += ["@pytest.mark.parametrize('example', list(find_examples('.')), ids=str)"]
    lines += [f"def test_example(example, eval_example): eval_example.{method}(example)"]
    return Setup({"t_test.py": "\n".join(lines), name: text}, (*PYTEST, "-p", "no:snippetcheck", option))


def byexample(*pages: str) -> Setup:
    """Set up byexample for Markdown pages with examples in Python and shell."""
    files = {f"page{number}.md": page for number, page in enumerate(pages)}
    program = "import sys; from byexample.byexample import main; sys.exit(main())"
    return Setup(files, ("-c", program, "-l", "python,shell", "--pretty", "none", "--no-progress-bar", *files))


def mktestdocs(text: str, call: str = "check_md_file(pathlib.Path('a.md'))", name: str = "a.md") -> Setup:
    """Set up mktestdocs with a test that runs the statement `call`."""
    lines = ["import pathlib", "from mktestdocs import check_docstring, check_md_file", f"def test_page(): {call}"]
    options = ("-p", "no:snippetcheck", "-o", "pythonpath=.")
    return Setup({"test_m.py": "\n".join(lines), name: text}, (*PYTEST, *options))


def harness(text: str, name: str = "a.md", option: str = "-rf") -> Setup:
    """Set up this harness for a page or module whose examples are checked in place."""
    settings = f'[tool.snippetcheck]\nexamples = ["{name}"]\n'
    return Setup({"pyproject.toml": settings, name: text}, (*PYTEST, option))


def two_engines() -> Setup:
    """Set up this harness with two engines. In the second one, `import greeting` imports another module, so the example fails."""
    settings = harness("").files["pyproject.toml"]
    settings += "[tool.snippetcheck.engines.a]\npath = ['.']\n"
    settings += "[tool.snippetcheck.engines.b]\npath = ['.']\nreplace = { greeting = 'other' }\n"
    modules = {"greeting.py": "word = 'hello'\n", "other.py": "word = 'hullo'\n"}
    page = fence("from greeting import word\n\nprint(word)\n#> hello\n")
    return Setup({"pyproject.toml": settings, **modules, "a.md": page}, PYTEST)


REQUIRES = ">>> # xdoctest: +REQUIRES({})\n" + WRONG
BLOCK = ".. code-block:: python\n\n   "
BASH = "markdown.CodeBlockParser('bash', lambda example: subprocess.run(['bash', '-ec', example.parsed], check=True) and None)"
UNPRINTED = "import sys\n\n1 + 1\n#> 3\nsys.stdout.write('4')\n"
LONG_RUN = "# timeout: 2\nprint(1)\n#> 1\nwhile True:\n    pass\n"

# A claim, the setup that checks it, the expected exit code (1 if a test fails), and text that the output must contain
Claim = tuple[str, Setup, int, str]
CLAIMS: dict[str, tuple[Claim, ...]] = {
    "doctest": (
        ("reads docstrings", doctest(m_py=docstring(WRONG)), 1, "1 failed"),
        ("reads text", doctest(a_md=WRONG), 1, "1 failed"),
        ("compares errors", doctest(a_md='>>> int("x")\nTraceback (most recent call last):\nValueError: y\n'), 1, ""),
        ("runs in the process of the tests", doctest(a_md=EXITS, b_md=WRONG), 0, ""),
    ),
    "xdoctest": (
        ("reads docstrings", xdoctest(WRONG), 1, "1 failed"),
        ("reads notebooks", xdoctest(WRONG, "n.ipynb"), 1, "1 failed"),
        ("lets `...` and blanks differ", xdoctest(">>> print('a b [1, 2]')\na ...  2]\n"), 0, "1 passed"),
        ("demands no output", xdoctest(">>> print(1)\n>>> 1 + 1\n2\n>>> 3\n"), 0, "1 passed"),
        ("needs no `...`", xdoctest(">>> for i in (1, 2):\n>>>     print(i)\n1\n2\n"), 0, "1 passed"),
        ("skips by platform", xdoctest(REQUIRES.format("WIN32")), 0, "1 skipped"),
        ("skips by module", xdoctest(REQUIRES.format("module:absent")), 0, "1 skipped"),
        ("skips by variable", xdoctest(REQUIRES.format("env:ABSENT")), 0, "1 skipped"),
        ("runs in the process of the tests", xdoctest(EXITS + WRONG), 0, ""),
    ),
    "sybil": (
        ("reads `>>>` in reStructuredText", sybil("rest.DocTestParser()", WRONG), 1, "1 failed"),
        ("reads `>>>` in fences", sybil("myst.PythonCodeBlockParser()", fence(WRONG), "a.md"), 1, "1 failed"),
        ("reads docstrings", sybil("rest.DocTestParser()", docstring(WRONG), "m.py"), 1, "1 failed"),
        ("runs blocks", sybil("rest.PythonCodeBlockParser()", BLOCK + RAISES), 1, "1 failed"),
        ("runs fences", sybil("markdown.PythonCodeBlockParser()", fence(RAISES), "a.md"), 1, "1 failed"),
        (
            "runs MyST",
            sybil("myst.PythonCodeBlockParser()", fence(RAISES, "{code-block} python"), "a.md"),
            1,
            "1 failed",
        ),
        ("compares no output of blocks", sybil("markdown.PythonCodeBlockParser()", fence(PRINTS_ONE), "a.md"), 0, ""),
        ("takes another language", sybil(BASH, fence("test 1 = 2\n", "bash"), "a.md"), 1, "CalledProcessError"),
        (
            "gives a page fixtures",
            sybil("rest.DocTestParser()", ">>> tmp_path.is_dir()\nTrue\n", options="fixtures=['tmp_path']"),
            0,
            "1 passed",
        ),
        ("runs in the process of the tests", sybil("rest.DocTestParser()", EXITS + WRONG), 0, ""),
    ),
    "pytest-examples": (
        ("reads fences", pytest_examples(fence(PRINTS_ONE)), 1, "1 failed"),
        ("reads docstrings", pytest_examples(docstring(fence(PRINTS_ONE)), name="m.py"), 1, "1 failed"),
        ("compares only what `print` was given", pytest_examples(fence(UNPRINTED)), 0, "1 passed"),
        ("checks with Ruff", pytest_examples(fence("import os\n"), "lint_ruff"), 1, "1 failed"),
        ("checks with Black", pytest_examples(fence("x=1\n"), "lint_black"), 1, "1 failed"),
        (
            "rewrites output",
            pytest_examples(fence(PRINTS_ONE), "run_print_update", option="--update-examples"),
            0,
            "updated",
        ),
        ("runs in the process of the tests", pytest_examples(fence(EXITING_FENCE) + fence(RAISES)), 0, ""),
    ),
    "byexample": (
        ("reads two languages on a page", byexample(fence(RIGHT) + fence("$ echo 1\n2\n", "shell")), 1, "echo 1"),
        (
            "captures text",
            byexample(fence(">>> print('id', 7)\nid <n>\n\n>>> <n> + 1  # byexample: +paste\n8\n")),
            0,
            "",
        ),
        ("goes on after an endless loop", byexample(fence(f"{HANGS}\n{WRONG}")), 1, "2/2 test"),
        ("gives up a page that exits", byexample(fence(f"{EXITS}\n{RIGHT}"), fence(RIGHT)), 2, "page1.md, 1/1 test"),
        ("starts an interpreter for each page", byexample(fence(">>> x = 5\n"), fence(">>> x\n5\n")), 1, "NameError"),
    ),
    "mktestdocs": (
        ("reads fences", mktestdocs(fence(RAISES)), 1, "1 failed"),
        (
            "reads docstrings",
            mktestdocs(docstring(fence(RAISES)), "import m; check_docstring(m.f)", "m.py"),
            1,
            "1 failed",
        ),
        ("compares no output", mktestdocs(fence(PRINTS_ONE)), 0, "1 passed"),
        (
            "runs a shell",
            mktestdocs(fence("test 1 = 2\n", "bash"), "check_md_file(pathlib.Path('a.md'), lang='bash')"),
            1,
            "CalledProcessError",
        ),
        ("runs in the process of the tests", mktestdocs(fence(EXITING_FENCE)), 0, ""),
    ),
    "this harness": (
        ("reads fences", harness(fence(PRINTS_ONE)), 1, "1 failed"),
        ("reads MyST", harness(fence(PRINTS_ONE, "{code-block} python")), 1, "1 failed"),
        ("reads docstrings", harness(docstring(WRONG), "m.py"), 1, "1 failed"),
        ("reads fences of docstrings", harness(docstring(fence(PRINTS_ONE)), "m.py"), 1, "1 failed"),
        ("reads `>>>` in reStructuredText", harness(WRONG, "a.rst"), 1, "1 failed"),
        ("compares output that nothing prints", harness(fence("1 + 1\n#> 3\n")), 1, "1 failed"),
        (
            "compares warnings",
            harness(fence("import warnings\n\nwarnings.warn('b')\n#~ UserWarning: a\n")),
            1,
            "1 failed",
        ),
        ("compares errors", harness(fence("1 / 0\n#! ZeroDivisionError: other\n")), 1, "1 failed"),
        ("contains an exit", harness(fence(EXITING_FENCE) + fence(GREEN_FENCE)), 1, "1 failed, 1 passed"),
        ("contains an endless loop", harness(fence(LONG_RUN) + fence(GREEN_FENCE)), 1, "1 failed, 1 passed"),
        ("runs on several engines", two_engines(), 1, "1 failed, 1 passed"),
        ("proves that each value is checked", harness(fence(GREEN_FENCE), option="--snippet-mutate"), 0, "turned red"),
    ),
}


def main() -> int:
    """Install the tools and check each claim. Return the exit code: 1 if a claim is false."""
    false_count = 0
    for name, claims in CLAIMS.items():
        tool = Tool(name, PACKAGES[name], "", str, ())
        version = tool.install()
        if name == "xdoctest":  # it needs these packages to read notebooks
            pip = [sys.executable, "-m", "pip", "--python", str(tool.python), "install", "-q"]
            subprocess.run([*pip, "nbformat", "nbconvert", "ipython"], check=True)
        for claim, setup, expected_code, text in claims:
            code, output = setup.run(tool.python)
            holds = code == expected_code and text in output
            false_count += not holds
            print(
                f"{'yes' if holds else 'NO '} {name} {version}: {claim}{'' if holds else f' {code} {output}'}",
                flush=True,
            )
    return int(false_count > 0)


if __name__ == "__main__":
    sys.exit(main())
