"""Examples in place run and are blessed: fences with `#>` lines, and `>>>` examples of pages and docstrings."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from sample_projects import Project
from snippetcheck.compare import compare
from snippetcheck.examples import Reader
from snippetcheck.mutate import score
from snippetcheck.pages import find_fences
from snippetcheck.runner.client import EngineClient
from snippetcheck.settings import SettingsError, load_settings
from snippetcheck.snippet import Rules, Snippet, SnippetError
from snippetcheck.watch import Watch

PYPROJECT = """
[tool.snippetcheck]
examples = ["docs/**/*.md", "docs/*.rst", "src/**/*.py"]

[tool.snippetcheck.engines.python]
path = ["src"]
"""

PAGE = """\
---
title: Page
---

# Page

```python
x = 3
print(x)
#> 3
```

- an item

    ```python
    for x in 0, 4:
        if x:
            print(x)
            #> 4

    x = 5
    ```

> ``` py
> print(1)
> #> 1
> ```

```{code-block} python
:caption: MyST
:emphasize-lines: 1

print("a\\tb")
#> a\tb
```

```pycon
>>> y = [1, 2]
```

Text.

```
>>> y
[1, 2]
>>> y[2]
Traceback (most recent call last):
    ...
IndexError: list index out of range
```
"""

TEXT = """\
Text
====

>>> x = 1
>>> x
1

Later::

    >>> x + 1
    2
"""

MODULE = '''\
"""A module.

>>> double(1)
2
"""


def double(x):
    """Double it.

    >>> double("a")
    'aa'
    >>> print(double("a\\\\n"))
    a
    a
    <BLANKLINE>

    A fence in a docstring:

    ```python
    from package.module import double

    print(double(2))
    #> 4
    ```
    """
    return 2 * x


limit: int = 3
"""The limit.

>>> limit + 1
4
"""


class Circle:
    def area(self):
        """
        >>> Circle().area()
        3
        """
        return 3
'''


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Create a project with examples on pages and in docstrings, and without a folder of snippets."""
    project = Project(tmp_path / "project", PYPROJECT)
    (project.root / "snippets").rmdir()
    project.page("page.md", PAGE)
    project.page("empty.md", "# Nothing\n\n```python\nimport os\n\nos._exit(3)\n```\n")
    project.page("text.rst", TEXT)
    package = project.root / "src" / "package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "module.py").write_text(MODULE)
    return project


def change(path: Path, *changes: tuple[str, str]) -> None:
    """Replace each old text in a file by its new text. Each old text must occur once."""
    text = path.read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text)


def break_values(project: Project) -> None:
    """Make an expected value wrong in every kind of example."""
    change(
        project.root / "docs" / "page.md",
        ("#> 3\n", "#> 30\n"),
        ("        #> 4\n", "        #> 40\n"),
        ("> #> 1\n", "> #> 10\n"),
        ("#> a\tb\n", "#> a\tbc\n"),
        ("[1, 2]\n>>> y[2]", "[1, 20]\n>>> y[2]"),
        ("IndexError: list index", "IndexError: tuple index"),
    )
    change(project.root / "docs" / "text.rst", ("    2\n", "    20\n"))
    change(
        project.root / "src" / "package" / "module.py",
        ("(1)\n2\n", "(1)\n20\n"),
        ("'aa'", "'ab'"),
        ("    <BLANKLINE>\n", ""),
        ("#> 4", "#> 40"),
        (">>> limit + 1\n4", ">>> limit + 1\n40"),
        ("area()\n        3\n", "area()\n        30\n"),
    )


# Where pytest reports the values that `break_values` makes wrong.
WRONG = (
    *("docs/page.md:10: prints something", "docs/page.md:19: prints something", "docs/page.md:26: prints something"),
    *("docs/page.md:34: prints something", "docs/page.md:45: prints something", "docs/page.md:47: raises something"),
    *("docs/text.rst:11: prints something", "src/package/module.py:4: prints something"),
    *("src/package/module.py:12: prints something", "src/package/module.py:14: prints something"),
    *("src/package/module.py:23: prints something", "src/package/module.py:33: prints something"),
    "src/package/module.py:41: prints something",
)


@pytest.mark.parametrize("isolation", ["fork", "subprocess"])
def test_every_kind_of_example_is_a_test(project: Project, isolation: str) -> None:
    change(project.root / "pyproject.toml", ("examples = [", f'isolation = "{isolation}"\nexamples = ['))
    completed = project.pytest("-v")
    lines = [f"docs/page.md::python:{line} PASSED" for line in (8, 16, 25, 33, 38)]
    lines += [f"src/package/module.py::python:{line} PASSED" for line in (3, 11, 21, 33, 41)]
    assert all(line in completed.stdout for line in [*lines, "docs/text.rst::python:4 PASSED", "11 passed"]), (
        completed.stdout
    )
    assert "empty.md" not in completed.stdout and completed.returncode == 0


def test_wrong_values_fail_at_their_lines_and_bless_corrects_them(project: Project) -> None:
    files = [project.root / name for name in ("docs/page.md", "docs/text.rst", "src/package/module.py")]
    texts = [file.read_text() for file in files]
    break_values(project)
    completed = project.pytest()
    assert (completed.returncode, "11 failed" in completed.stdout) == (1, True), completed.stdout
    for line in WRONG:
        assert line in completed.stdout, f"{line}\n{completed.stdout}"
    completed = project.harness("bless", "--dry-run", "docs/page.md")
    assert "-> #> 10" in completed.stdout.splitlines() and files[0].read_text() != texts[0]
    completed = project.harness("bless")
    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert completed.stdout.count("\nblessed ") == 11
    assert [file.read_text() for file in files] == texts


def test_a_failure_names_the_page_and_its_line(project: Project) -> None:
    change(project.root / "docs" / "page.md", ("#> 3\n", "#> 30\n"))
    completed = project.pytest("-k", "page", "--tb=short", GITHUB_ACTIONS="true")
    assert "FAILED docs/page.md::python:8 - on python, line 10 prints something" in completed.stdout
    assert "bless docs/page.md" in completed.stdout and "::error file=docs/page.md,line=10," in completed.stdout
    assert "1 failed, 4 passed" in completed.stdout


def test_pages_are_read_only_if_the_settings_name_them(project: Project) -> None:
    change(project.root / "pyproject.toml", ('"docs/**/*.md"', '"docs/**/*.md", "!docs/page.*"'))
    completed = project.pytest("-v")
    assert "page.md" not in completed.stdout and "6 passed" in completed.stdout
    (project.root / "snippets").mkdir()
    (project.root / "pyproject.toml").write_text("[tool.snippetcheck]\n")
    assert "collected 0 items" in project.pytest("-v").stdout


def test_a_link_out_of_the_project_is_read(project: Project, tmp_path: Path) -> None:
    outside = tmp_path / "shared"
    outside.mkdir()
    (outside / "README.md").write_text("```python\nprint(1)\n#> 2\n```\n")
    (project.root / "docs" / "link.md").symlink_to(outside / "README.md")
    (project.root / "docs" / "folder").symlink_to(outside)
    (project.root / "pyproject.toml").write_text(
        '[tool.snippetcheck]\nexamples = ["docs/link.md", "docs/folder/*.md"]\n'
    )
    completed = project.pytest("docs/link.md", "docs/folder")
    assert "2 failed" in completed.stdout and "snippets:" not in completed.stdout, completed.stdout
    assert project.harness("bless").returncode == 0
    assert "#> 1" in (outside / "README.md").read_text()


def test_an_example_that_exits_hangs_or_crashes_leaves_others_running(project: Project) -> None:
    bodies = ("import os; os._exit(0)", "while True: pass", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    fences = [f"```python\n# timeout: 1\n\n{body}\nprint(1)\n#> 1\n```\n" for body in bodies]
    project.page("page.md", "\n".join([*fences, "```python\nprint(1)\n#> 1\n```\n"]))
    prompts = [f'def f{n}():\n    """\n    >>> {body}\n    >>> 1\n    1\n    """\n' for n, body in enumerate(bodies)]
    module = project.root / "src" / "package" / "module.py"
    module.write_text("\n\n".join([*prompts, 'def peaceful():\n    """\n    >>> 1\n    1\n    """\n']))
    completed = project.pytest("--snippet-timeout", "2", "-k", "page or module")
    assert "6 failed, 2 passed" in completed.stdout, completed.stdout
    for message in (
        *("docs/page.md:4: exited", "docs/page.md:12: timed out", "docs/page.md:20: crashed"),
        *("module.py:3: exited", "module.py:11: timed out", "module.py:19: crashed"),
    ):
        assert message in completed.stdout, message


def test_an_example_that_is_not_python_leaves_others_running(project: Project) -> None:
    project.page("page.md", "```python\nprint(\n#> 1\n```\n\n```python\nprint(1)\n#> 1\n```\n")
    (project.root / "src" / "package" / "module.py").write_text("def (:\n")
    completed = project.pytest("-v", "-k", "page or module")
    assert "docs/page.md:2: is not Python" in completed.stdout and "docs/page.md::python:7 PASSED" in completed.stdout
    assert "module.py:1: is not Python: invalid syntax" in completed.stdout.replace("'", "")


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_bless_keeps_the_line_endings_and_the_byte_order_mark_of_a_page(project: Project, end: str) -> None:
    page = (
        "\ufeff# T\n\n- a\n\n    ```python\n    print(1)\n    #>\n    ```\n\n> ```pycon\n> >>> 1\n> 2\n> ```\nLast.\n"
    )
    files = {"docs/page.md": page, "src/package/module.py": 'def f():\n    """\n    >>> 1\n    2\n    """\n'}
    for name, text in files.items():
        (project.root / name).write_bytes(text.replace("\n", end).encode())
    mixed = b"Text\n```python\r\nprint(1)\r\n#> 2\r\n```\n"
    (project.root / "docs" / "mixed.md").write_bytes(mixed)
    assert project.harness("bless").returncode == 0
    for name, text in files.items():
        blessed = text.replace("#>\n", "#> 1\n").replace("> 2\n", "> 1\n").replace("    2\n", "    1\n")
        assert (project.root / name).read_bytes() == blessed.replace("\n", end).encode()
    assert (project.root / "docs" / "mixed.md").read_bytes() == mixed.replace(b"2", b"1")


def test_examples_that_cannot_be_blessed_stay_unchanged(project: Project) -> None:
    page = project.page("page.md", "```python\nx = 1\n```\n\n```python\nprint(x)\n#>\n```\n\n```\n>>> 1 / 0\n```\n")
    module = project.root / "src" / "package" / "module.py"
    module.write_text('def f():\n    """\n    >>> print("\\\\\\\\n")\n    1\n    """\n')
    texts = page.read_text(), module.read_text()
    completed = project.harness("bless", "docs/page.md", "src")
    assert (page.read_text(), module.read_text()) == texts
    assert completed.returncode == 1
    assert "docs/page.md:6: not blessed: raises NameError: name 'x' is not defined" in completed.stdout
    assert "docs/page.md:11: not blessed: raises ZeroDivisionError: division by zero" in completed.stdout
    assert (
        "module.py:3: not blessed: with this output, the example could not be read again\n    a docstring needs r"
        in completed.stdout
    )
    project.page("text.rst", ">>> import time\n>>> time.time()\n")
    assert "write `# doctest: +ELLIPSIS` after the example" in project.harness("bless", "docs/text.rst").stdout
    project.page("page.md", "- a\n\n\t```python\n\tif 1:\n\t\tprint(2)\n\t\t#> 3\n\t```\n")
    assert "a fence blanks in place of tabs" in project.harness("bless", "docs/page.md").stdout


def test_no_mutant_of_an_example_in_place_survives(project: Project) -> None:
    completed = project.pytest("--snippet-mutate")
    assert "mutation: " in completed.stdout and "11 passed" in completed.stdout, completed.stdout


def test_a_cached_run_of_an_example_is_not_used_after_a_change_of_its_module(project: Project) -> None:
    assert "11 passed" in project.pytest("--snippet-cache").stdout
    # The new module has another size: Python reuses bytecode if the size and the second of the last change are equal.
    change(project.root / "src" / "package" / "module.py", ("return 2 * x", "return 3. * x"))
    completed = project.pytest("--snippet-cache")
    assert "3 failed, 8 passed" in completed.stdout, completed.stdout


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('examples = "*.md"', "examples must be a list of names"),
        ('examples = ["*.txt", "*.html"]', "'*.html' must be a pattern below the project"),
        ('examples = ["../*.md"]', "'../*.md' must be a pattern below the project"),
        (
            'examples = ["docs/**x/*.md"]',
            "'docs/**x/*.md': `**` stands for folders\n    write it alone between slashes",
        ),
        ('examples = ["docs/***.md"]', "'docs/***.md': `**` stands for folders"),
        ('examples = []\ndoctest_options = ["ELLIPSE"]', "'ELLIPSE'\n    correct or remove this entry"),
        ('examples = ["*.md"]\ndoctest_setup = "import"', "doctest_setup: line 1, 'import', is not Python"),
        ('doctest_setup = "a = 1\\nb = (\\nc"', "doctest_setup: line 2, 'b = (', is not Python: '(' was never closed"),
        ("doctest_setup = 3", "doctest_setup must be a program, got 3"),
        ('examples = ["a.md", "READNE.md"]', "examples: 'READNE.md' names no file\n    correct or remove it"),
        ('examples = ["*.md", "docs/**/*.md"]', "examples: 'docs/**/*.md' names no file"),
        ('examples = ["*.png*"]', "examples: '*.png*' names no file"),
        (f'examples = ["{"x" * 300}.md"]', "xxx.md' names no file"),
    ],
)
def test_each_mistake_in_settings_of_examples_is_reported(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "snippets").mkdir()
    for name in ("a.md", "a.txt", "a.png"):
        (tmp_path / name).touch()
    (tmp_path / "pyproject.toml").write_text(f"[tool.snippetcheck]\n{line}\n")
    with pytest.raises(SettingsError) as raised:
        load_settings(tmp_path)
    assert message in str(raised.value)


def test_watch_runs_the_examples_in_a_saved_file(project: Project) -> None:
    lines: list[str] = []
    watch = Watch(load_settings(project.root), ["python"], lines.append)
    with watch.runner:
        change(project.root / "docs" / "page.md", ("#> 3\n", "#> 30\n"))
        watch.step()
        assert lines[0].startswith("RED   docs/page.md:8 on python, line 10 prints something other")
        assert lines[1].startswith("green docs/page.md:16 python") and lines[-1] == "4 green now, 1 red in all"
        lines.clear()
        change(project.root / "docs" / "page.md", ("#> 30\n", "#> 3\n"))
        change(project.root / "src" / "package" / "module.py", ("'aa'", "'a'"))
        watch.step()
        watch.step()
        assert lines[-1] == "9 green now, 1 red in all" and len(lines) == 11, lines


def test_watch_runs_all_examples_after_a_source_of_the_engine_is_saved(project: Project) -> None:
    change(project.root / "pyproject.toml", ('path = ["src"]', 'path = ["src"]\nsources = ["package.extra"]'))
    source = project.root / "src" / "package" / "extra.py"
    source.write_text("x = 1\n")
    lines: list[str] = []
    watch = Watch(load_settings(project.root), ["python"], lines.append)
    with watch.runner:
        source.write_text("x = 10\n")
        while not lines or "green now" not in lines[-1]:
            watch.step()
    assert lines[-1] == "11 green now, 0 red in all", lines


# -- single examples --------------------------------------------------------------------------------


def read(tmp_path: Path, text: str, name: str = "page.md", **settings: object) -> list[Snippet | SnippetError]:
    """Write a file with this text, and return its examples. For an example with a mistake, return a SnippetError."""
    path = tmp_path / name
    path.write_text(dedent(text))
    return Reader(tmp_path, Rules(("python",), (), (), 20.0), **settings).read(path)  # type: ignore[arg-type]


def findings_of(server: EngineClient, examples: list[Snippet | SnippetError]) -> list[list[str]]:
    """Run the examples without mistakes. Return the findings of each as `line: message`."""
    return [
        [f"{finding.line}: {finding.message}" for finding in compare(example, server.run(example))]
        for example in examples
        if isinstance(example, Snippet)
    ]


def test_fences_are_separate_unless_they_continue(tmp_path: Path, python_server: EngineClient) -> None:
    page = """\
        ```python
        x = 1
        ```

        ```python
        print(x)
        #> 1
        ```

        ```python
        y = 2
        ```

        ``` {.python .continue title="y"}
        print(y)
        #> 2
        ```

        ```{code-block} python
        :class: continue

        print(y + 1)
        #> 4
        ```
        """
    separate, continued = findings_of(python_server, read(tmp_path, page))
    assert separate[0] == "6: raises NameError, and has no #! line"
    assert continued == ["23: prints something other than its #> lines say"]


def test_a_fence_without_a_fence_to_continue_is_an_error(tmp_path: Path) -> None:
    (error,) = read(tmp_path, "```python continue\nprint(1)\n#> 1\n```\n")
    assert isinstance(error, SnippetError) and (error.line, error.message) == (
        1,
        "`continue` without a Python fence above it",
    )


def test_only_python_fences_with_expected_lines_are_examples(tmp_path: Path) -> None:
    page = """\
        ```python illustrative="not run"
        print(1)
        #> 1
        ```

        ```text
        print(1)
        #> 1
        ```

        ```python
        print(1)
        ```

        >>> quoted in Markdown

        ~~~ {.py hl_lines="1"}
        print(1)
        #> 1
        ~~~

        ```r
        #> [1] 1
        ```

        ```bash
        #!/bin/sh
        """
    assert [str(example.name) for example in read(tmp_path, page)] == ["page.md:18"]  # type: ignore[union-attr]


UNREAD = {
    "misspelt": ("```pyhton\n1\n#> 1\n```\n", "1: expected lines in a fence that is not of Python: 'pyhton'"),
    "no language": ("# T\n\n```\n1\n#> 1\n```\n", "3: expected lines in a fence that is not of Python: ''"),
    "code cell": ("```{code-cell} ipython3\n1\n#> 1\n```\n", "1: expected lines in a fence that is not of Python: "),
    "code cell without a language": (
        "```{code-cell}\n1\n#> 1\n```\n",
        "1: expected lines in a fence that is not of Python: ",
    ),
    "stray end": ("```\n\n```python\n1\n#> 1\n```\n", "1: expected lines in a fence that is not of Python: ''"),
    "never closed": ("```python\nprint(1)\n#> 1\n", "1: a fence that is never closed"),
    "closed by more marks": ("```python\nprint(1)\n#> 1\n````\n", "1: a fence that is never closed"),
    "prompts never closed": ("```pycon\n>>> 1\n1\n", "1: a fence that is never closed"),
    "less indented": ("1. a\n\n   ```python\n   print(1)\n#> 1\n   ```\n", "3: a fence that is never closed"),
    "prompts by indentation": ("Text:\n\n    >>> 1\n    2\n", "3: a code block by indentation"),
    "no blank": ("```python\nprint(1)\n#>1\n```\n", "3: nearly an expected line: '#>1'"),
    "formatted": ("```python\nprint(1)\n# > 1\n```\n", "3: nearly an expected line: '# > 1'"),
    "after code": ("```python\nprint(1)  #> 1\n```\n", "2: #> stands after code"),
    "reStructuredText": (".. code-block:: python\n\n   print(1)\n   #> 1\n", "1: expected lines in reStructuredText"),
    "expected lines by indentation": ("Text:\n\n    print(1)\n    #> 1\n", "3: a code block by indentation"),
    "block in a docstring": (
        'def f():\n    """Do it.\n\n    .. code-block:: python\n\n        print(1)\n        #> 1\n    """\n',
        "4: expected lines in reStructuredText",
    ),
    "docstring": ('"""\n```python\nprint(1)\n#> 1\n"""\n', "2: a fence that is never closed"),
}


@pytest.mark.parametrize("case", UNREAD)
def test_an_example_that_would_not_be_read_is_an_error(tmp_path: Path, case: str) -> None:
    text, message = UNREAD[case]
    name = {"reStructuredText": "page.rst", "docstring": "m.py", "block in a docstring": "m.py"}.get(case, "page.md")
    (error,) = read(tmp_path, text, name)
    assert isinstance(error, SnippetError) and f"{error.line}: {error.message}".startswith(message)
    assert error.remedy


def test_the_remedy_for_a_code_cell_of_myst_works(tmp_path: Path) -> None:
    page = "```{code-cell} ipython3\n:tags: [x]\nprint(1)\n#> 1\n```\n"
    (error,) = read(tmp_path, page)
    replacement = "{code-block} python"
    assert isinstance(error, SnippetError) and error.remedy.startswith(f"write `{replacement}`")
    (example,) = read(tmp_path, page.replace("{code-cell} ipython3", replacement))
    assert isinstance(example, Snippet)
    (fence,) = find_fences("```{code-cell} ipython3\nprint(1)\n```\n")
    assert f"write `{replacement}` and `#>` lines" in str(fence.remedy)


DOCTESTS = {
    "ellipsis": (">>> list(range(9))  # doctest: +ELLIPSIS\n[0, ..., 8]\n", []),
    "no ellipsis": (">>> list(range(9))\n[0, ..., 8]\n", ["2: prints something other than the lines under it say"]),
    "whitespace": (">>> [1, 2]  # doctest: +NORMALIZE_WHITESPACE\n[1,\n 2]\n", []),
    "skipped": (">>> 1\n1\n>>> 1 / 0  # doctest: +SKIP\n", []),
    "detail of an exception": (
        ">>> int('a')  # doctest: +IGNORE_EXCEPTION_DETAIL\nTraceback (most recent call last):\nx.ValueError: b\n",
        [],
    ),
    "another class than the expected": (
        ">>> int('a')  # doctest: +IGNORE_EXCEPTION_DETAIL\nTraceback (most recent call last):\nKeyError: b\n",
        ["2: raises something other than the traceback under it says"],
    ),
    "error that is not raised": (
        ">>> int(1)\nTraceback (most recent call last):\nValueError: b\n",
        ["2: does not raise; it expects ValueError: b"],
    ),
    "no output expected": (">>> 1\n", ["1: prints something, and no output is expected under it"]),
    "syntax error": (">>> x = = 1\nTraceback (most recent call last):\nSyntaxError: invalid syntax\n>>> 1\n1\n", []),
    "after an error": (
        ">>> 1 / 0\n>>> 2\n3\n",
        ["1: raises ZeroDivisionError, and no traceback is expected under it"],
    ),
    "nested expression": (">>> for x in 1, 2:\n...     x\n1\n2\n", []),
    "name of the last value": (">>> 3\n3\n>>> _ + 1\n4\n", []),
    "without a line end": (">>> print(1, end='')\n1\n", []),
    "standard error": (">>> import sys; _ = sys.stderr.write('x')\n>>> import warnings; warnings.warn('x')\n", []),
    "import from __future__": (
        ">>> from __future__ import annotations\n>>> def f(x: y): pass\n>>> f.__annotations__\n{'x': 'y'}\n",
        [],
    ),
    "value that cannot be compared": (
        ">>> class A:\n...     def __eq__(self, other): raise ValueError\n>>> a = A()\n>>> 1\n1\n",
        [],
    ),
    "source of a function": (
        ">>> import inspect\n>>> def f():\n...     return 1\n>>> print(inspect.getsource(f))\ndef f():\n    return 1\n<BLANKLINE>\n",
        [],
    ),
    "closing fence after the output": (">>> 1\n1\n```\n", []),
}


@pytest.mark.parametrize("name", DOCTESTS)
def test_prompts_are_compared_as_doctest_does(tmp_path: Path, python_server: EngineClient, name: str) -> None:
    text, expected = DOCTESTS[name]
    assert findings_of(python_server, read(tmp_path, text, "text.rst")) == [expected]


def test_an_example_in_a_note_of_myst_is_read(tmp_path: Path, python_server: EngineClient) -> None:
    examples = read(tmp_path, "````{note}\n```python\nprint(1)\n#> 2\n```\n````\n")
    assert findings_of(python_server, examples) == [["4: prints something other than its #> lines say"]]


def test_prompts_in_a_quotation_are_read(tmp_path: Path, python_server: EngineClient) -> None:
    page = (
        "> Text:\n>\n> ```pycon\n> >>> if True:\n> ...     1\n> 2\n> ```\n\n- a\n\n  > ```\n  > >>> 3\n  > 3\n  > ```\n"
    )
    (findings,) = findings_of(python_server, read(tmp_path, page))
    assert findings == ["6: prints something other than the lines under it say"]


def test_doctest_options_and_setup_come_from_the_settings(tmp_path: Path, python_server: EngineClient) -> None:
    text = ">>> [start, 2, 3]\n[1...]\n>>> 'a b'  # doctest: -ELLIPSIS\n'a...'\n"
    settings = {"options": load_options(tmp_path), "setup": "start = 1"}
    (findings,) = findings_of(python_server, read(tmp_path, text, "text.rst", **settings))
    assert findings == ["4: prints something other than the lines under it say"]


def load_options(folder: Path) -> int:
    """Write settings with `doctest_options`, and return the flags that `load_settings` makes of them."""
    (folder / "page.rst").touch()
    (folder / "pyproject.toml").write_text(
        '[tool.snippetcheck]\nexamples = ["*.rst"]\ndoctest_options = ["ELLIPSIS"]\n'
    )
    return load_settings(folder).doctest_options


def test_a_docstring_fails_if_another_module_has_its_name(tmp_path: Path, python_server: EngineClient) -> None:
    (findings,) = findings_of(python_server, read(tmp_path, '"""\n>>> 1\n1\n"""\n', "json.py"))
    assert findings == ["2: raises ImportError, and no traceback is expected under it"]


@pytest.mark.parametrize(
    "example",
    [">>> hls.ONE_THIRD < 1\nTrue", "```python\nfrom arrows import hls\nprint(hls.ONE_THIRD < 1)\n#> True\n```"],
)
def test_a_module_of_a_package_hides_none_that_its_docstrings_import(
    example: str, tmp_path: Path, python_server: EngineClient
) -> None:
    """Check a package whose modules have the names of the package and of a module of the standard library."""
    package = tmp_path / "arrows"
    package.mkdir()
    (package / "__init__.py").write_text("from .arrows import hls\n")
    (package / "colorsys.py").touch()
    text = f'"""\n{example}\n"""\nimport colorsys as hls\n'
    (findings,) = findings_of(python_server, read(package, text, "arrows.py"))
    assert findings == []


def test_a_malformed_doctest_is_reported_at_its_line(tmp_path: Path) -> None:
    for text, line in (
        (">>>1", 3),
        (">>> if 1:\n...print(1)", 4),
        (">>> 1\n1\n>>> 1  # doctest: +NO", 5),
        (">>> # doctest: +SKIP\n", 3),
    ):
        (error,) = read(tmp_path, f"a\n\n{text}\n", "text.rst")
        assert isinstance(error, SnippetError) and error.line == line
        assert error.message.startswith("not a doctest: ")


@pytest.mark.parametrize(
    ("example", "line", "message"),
    [
        (">>> print((1,", 4, "SyntaxError: '(' was never closed"),
        (">>> for i in range(3):", 4, "IndentationError: expected an indented block after 'for' statement on line 4"),
        (">>> def f():\n...     return = 3", 5, "SyntaxError: invalid syntax"),
    ],
)
def test_an_unfinished_example_is_reported_at_its_line(
    example: str, line: int, message: str, tmp_path: Path, python_server: EngineClient
) -> None:
    (snippet,) = read(tmp_path, f"a\n\n>>> x = 1\n{example}\n>>> 1\n1\n", "text.rst")
    assert isinstance(snippet, Snippet)
    (finding,) = compare(snippet, python_server.run(snippet))
    assert (finding.line, finding.actual[-1]) == (line, message)
    assert finding.actual[0] == f'  File "{snippet.path}", line {line}' and not any("ast" in t for t in finding.actual)
    assert "each further line of a statement begins with `...`" in finding.remedy


def test_an_error_before_the_first_example_is_shown_where_it_was_raised(
    tmp_path: Path, python_server: EngineClient
) -> None:
    """Check that the traceback has no frames of the harness and of importlib."""
    (module,) = read(tmp_path, '"""\n>>> 1\n1\n"""\nimport nosuch\n', "module.py")
    (page,) = read(tmp_path, ">>> 1\n1\n", "text.rst", setup="x = 1\nimport nosuch\n")
    for snippet, line, location in ((module, 5, module.path), (page, 1, "doctest_setup in pyproject.toml")):
        assert isinstance(snippet, Snippet)
        (finding,) = compare(snippet, python_server.run(snippet))
        assert finding.line == line
        assert [text for text in finding.actual if text.startswith("  File")] == [
            f'  File "{location}", line {5 if line == 5 else 2}, in <module>'
        ]
        assert ("correct the module" in finding.remedy) == (snippet is module)
    assert finding.actual[2].strip() == "import nosuch", "a line of the setting, not one of the page"
    assert finding.remedy == "correct doctest_setup in pyproject.toml"


def test_a_name_from_code_that_is_not_run_is_reported_with_the_remedy(
    tmp_path: Path, python_server: EngineClient
) -> None:
    page = ".. testsetup::\n\n   double = abs\n\n>>> double(1)\n1\n"
    (snippet,) = read(tmp_path, page, "text.rst")
    assert isinstance(snippet, Snippet)
    (finding,) = compare(snippet, python_server.run(snippet))
    assert (finding.line, finding.remedy.partition(" or in ")[0]) == (5, "define it in a `>>>` example above")
    assert "doctest_setup; other code and `testsetup` are not run" in finding.remedy


def test_dots_that_would_match_with_an_option_are_reported_with_it(tmp_path: Path, python_server: EngineClient) -> None:
    text = ">>> [1, 2]\n[1...]\n>>> int(None)\nTraceback (most recent call last):\nTypeError: int() ...\n>>> 3\n4...\n"
    (snippet,) = read(tmp_path, text, "text.rst")
    assert isinstance(snippet, Snippet)
    findings = compare(snippet, python_server.run(snippet))
    assert [(finding.line, "ELLIPSIS" in finding.remedy) for finding in findings] == [(2, True), (4, True), (7, False)]


def test_a_string_under_a_print_is_its_expected_output(tmp_path: Path, python_server: EngineClient) -> None:
    page = """\
        ```py
        try:
            int("a")
        except ValueError as error:
            print("an error:", error, sep="\\n")
            '''
            an error:
            invalid literal for int() with base 10: 'a'
            '''
        print({"a": [1, 2], "b": "text"})
        '''
        {
            'a': [1, 2],
            "b": "text",
        }
        '''
        print(1)
        '''
        2
        '''
        ```
        """.replace("'''", '"""')
    (findings,) = findings_of(python_server, read(tmp_path, page))
    assert findings == ["19: prints something other than its #> lines say"]
    (example,) = read(tmp_path, page.replace("\n        2\n", "\n        1\n"))
    assert isinstance(example, Snippet)
    survivors = score(example, python_server.run(example)).survivors
    assert {mutant.before for mutant in survivors} <= {'"', "'", ","}, "only the layout of an expression may change"


def test_the_ledger_counts_examples_in_place_as_checked(project: Project) -> None:
    change(project.root / "pyproject.toml", ("examples = [", "ledger = true\nexamples = ["))
    project.page("page.md", PAGE + "\nThe area is `4`, and `5` is unknown.\n")
    completed = project.pytest("pyproject.toml")
    assert "docs/empty.md:3: a fence that nothing checks: 'python'" in completed.stdout, completed.stdout
    line = PAGE.count("\n") + 2
    assert f"docs/page.md:{line}: the number `5` occurs in no output" in completed.stdout
    assert "the ledger has 2 problems" in completed.stdout


def test_a_number_in_an_expected_error_in_place_is_not_an_output(project: Project) -> None:
    change(project.root / "pyproject.toml", ("examples = [", "ledger = true\nexamples = ["))
    project.page(
        "page.md", '```python\nraise ValueError("expected 7")\n#! ValueError: expected 7\n```\n\nThe value is `7`.\n'
    )
    assert "docs/page.md:6: the number `7` occurs in no output" in project.pytest("pyproject.toml").stdout


def test_a_reformatted_output_with_a_backslash_causes_no_warning(project: Project) -> None:
    r"""Check that an output in another layout passes under `-W error` although Python warns about its escape `'\d'`."""
    program = 'print({"pattern": r"\\d"})\n"""\n{\n    \'pattern\': \'\\\\d\',\n}\n"""\n'
    project.page("pattern.md", f"```python\n{program}```\n")
    completed = project.pytest("-W", "error", "docs/pattern.md")
    assert "1 passed" in completed.stdout and "warning" not in completed.stdout, completed.stdout


@pytest.mark.parametrize(("above", "is_advised"), [("from math import tau\n", True), ("tau = 6\n", True), ("", False)])
def test_a_name_of_the_fence_above_gets_the_remedy(project: Project, above: str, is_advised: bool) -> None:
    (project.root / "pyproject.toml").write_text('[tool.snippetcheck]\nexamples = ["README.md"]\n')
    text = f"```python\n{above}print(1)\n#> 1\n```\n\n```python\nprint(tau)\n#> 6\n```\n"
    (project.root / "README.md").write_text(text)
    output = project.pytest("README.md").stdout
    assert "NameError" in output
    assert ("bind 'tau' in it, or write `continue` after its language" in output) is is_advised
