"""`snippetcheck import` writes programs that print what the `>>>` examples print, and reports those that it cannot convert."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample_projects import Project

PYPROJECT = """
[tool.snippetcheck]
snippets_dir = "snippets"
doctest_options = ["ELLIPSIS"]
doctest_setup = "from math import pi"

[tool.snippetcheck.engines.python]
path = ["src"]
"""

MODULE = '''\
class Odd(ValueError):
    pass


def halve(x):
    """Halve a number. It must be even.

    Some text.

    >>> halve(4)
    2
    >>> halve("ab") if False else "a b"
    'a b'
    >>> "it's"
    "it's"
    >>> halve(
    ...     8,
    ... )  # twice
    4
    >>> 1, halve(2)
    (1, 1)
    >>> halve(3)
    Traceback (most recent call last):
        ...
    module.Odd: 3
    >>> def show(x):
    ...     print(x)
    >>> show(round(pi))
    3
    >>> print("in", object())  # doctest: +ELLIPSIS
    in <object object at 0x...>
    >>> halve(5)
    Traceback (most recent call last):
    module.Odd: 5
    """
    if x % 2:
        raise Odd(x)
    return x // 2


def red():
    """
    >>> halve(4)
    3
    """


def unordered():
    """
    >>> {"a", "b", "c", "d"}
    {...}
    """


def nested():
    """
    >>> for x in [1]:
    ...     x
    1
    """


def syntax():
    """
    >>> x = = 1
    Traceback (most recent call last):
    SyntaxError: invalid syntax
    """


def malformed():
    """
    >>>1
    """


def hidden():
    """
    >>> eval("halve(4)")
    2
    """
'''

PROGRAM = '''\
"""Halve a number."""

from math import pi
from module import halve

print(halve(4))
#> 2
print(halve("ab") if False else "a b")
#> a b
print("it's")
#> it's
print(halve(
    8,
))
#> 4
print((1, halve(2)))
#> (1, 1)
try:
    halve(3)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
#> Odd: 3

def show(x):
    print(x)

show(round(pi))
#> 3
print("in", object())
#>? in <object object at 0x...>
halve(5)
#! module.Odd: 5
'''


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Create a project with a module that has `>>>` examples."""
    project = Project(tmp_path / "project", PYPROJECT)
    (project.root / "src").mkdir()
    (project.root / "src" / "module.py").write_text(MODULE)
    return project


def test_import_writes_doctests_as_snippet_files(project: Project) -> None:
    completed = project.harness("import", "src")
    assert completed.returncode == 1 and not completed.stderr, completed.stderr
    program = project.root / "snippets" / "module" / "halve_10.py"
    assert program.read_text() == PROGRAM
    for line in (
        "src/module.py:43: not converted: fails as a doctest: line 44 prints something other than the lines under it say",
        "src/module.py:50: not converted: another run on python prints",
        "src/module.py:57: not converted: `for x in [1]:` behaves differently in a program than at the prompt",
        "src/module.py:65: not converted: shows a SyntaxError, which would end the whole program",
        "src/module.py:73: not converted: not a doctest: blank after >>>",
        'src/module.py:79: not converted: `eval("halve(4)")` behaves differently in a program than at the prompt',
        "converted 1 of 7 examples",
    ):
        assert line in completed.stdout, completed.stdout
    assert "1 passed" in project.pytest("snippets").stdout
    completed = project.harness("import", "src/module.py")
    assert "src/module.py:10: not converted: snippets/module/halve_10.py exists already" in completed.stdout


def test_import_with_fences_writes_doctests_as_a_page(project: Project) -> None:
    project.page("text.rst", "Text\n====\n\n>>> x = 1\n>>> x\n1\n")
    completed = project.harness("import", "--fences", "docs")
    assert completed.returncode == 0, completed.stdout + completed.stderr
    page = project.root / "docs" / "text.md"
    assert page.read_text() == (
        "# text\n\n## Examples of text.rst:4.\n\n```python\nfrom math import pi\n\nx = 1\nprint(x)\n#> 1\n```\n"
    )
    assert "docs/text.md: not checked: add it to the setting `examples`" in completed.stdout
    (project.root / "pyproject.toml").write_text(PYPROJECT.replace("doctest_options", 'examples = ["docs/*.md"]\n#'))
    assert "docs/text.md::python:6 PASSED" in project.pytest("-v", "docs").stdout


def test_a_page_that_exists_is_not_replaced(project: Project) -> None:
    (project.root / "src" / "module.py").write_text('"""Two.\n\n>>> 1 + 1\n2\n"""\n')
    page = project.page("module.md", "# By hand\n")
    completed = project.harness("import", "--fences", "src")
    assert completed.returncode == 1 and not completed.stderr
    assert completed.stdout == "src/module.py: not converted: docs/module.md exists already\nconverted 0 of 1 example\n"
    assert page.read_text() == "# By hand\n"


@pytest.mark.parametrize(("option", "folder"), [([], "snippets/module"), (["--fences"], "docs")])
def test_a_folder_that_cannot_be_created_is_reported(option: list[str], folder: str, project: Project) -> None:
    (project.root / "src" / "module.py").write_text('"""Two.\n\n>>> 1 + 1\n2\n"""\n')
    if option:
        (project.root / "docs").rmdir()
    (project.root / folder).write_text("")  # a file with the name of the folder
    completed = project.harness("import", *option, "src")
    assert (completed.returncode, completed.stderr) == (1, "")
    assert f"not converted: {folder}" in completed.stdout and "cannot be written: File exists\n" in completed.stdout


def test_a_missing_folder_is_reported(project: Project) -> None:
    completed = project.harness("import", "missing")
    assert completed.returncode == 2 and "missing: no such file or folder" in completed.stderr
