"""The files and commands on each page of docs/use-the-harness work as printed."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from guide import PAGES, Changes, GuidePage, Shell
from snippetcheck.engines import LEAST_PROCESSES, MEBIBYTE, Limits
from snippetcheck.manifest import DEFAULT_TIMEOUT
from snippetcheck.runner import containment

INDEX, NEW_SITE, DOCTESTS, FENCES, FILES = map(GuidePage, ("index", "new-site", "doctests", "fences", "files"))
WORKFLOW = ".github/workflows/examples.yml"
BUILD = "python -m mkdocs -q build --strict"


@pytest.fixture
def environments(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for virtual environments, which all tests of a session share."""
    return tmp_path_factory.getbasetemp()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return the path of a folder to create for a project. The page's commands clone the repository beside it."""
    return tmp_path / "foreign"


@contextlib.contextmanager
def wrong_digit(shell: Shell, name: str, right: str, wrong: str) -> Iterator[None]:
    """Within the `with` block, replace the text `right` in the file `name` by `wrong`."""
    shell.change(name, right, wrong)
    yield
    shell.change(name, wrong, right)


@contextlib.contextmanager
def another_example(shell: Shell) -> Iterator[None]:
    """Within the `with` block, add snippets/third.py as the page on files shows it."""
    third = shell.folder / "snippets" / "third.py"
    third.write_text(FILES.body_of("snippets/third.py, which"))
    yield
    third.unlink()


@contextlib.contextmanager
def installed_mkdocs(shell: Shell) -> Iterator[None]:
    """Install MkDocs for the `with` block."""
    shell.run("pip install mkdocs")
    yield


NEW_SITE_CHANGES: Changes = {
    "python -m pytest docs": lambda shell: wrong_digit(shell, "docs/index.md", "#> [2.  3.5]", "#> [2.  3.6]"),
}
FENCES_CHANGES: Changes = {
    "python -m pytest docs": lambda shell: wrong_digit(shell, "docs/areas.md", "#> 6", "#> 7"),
}
FILES_CHANGES: Changes = {
    "python -m pytest snippets": lambda shell: wrong_digit(shell, "snippets/mean.py", "3.5", "3.6"),
    "python -m pytest -v snippets/third.py": another_example,
    BUILD: installed_mkdocs,
}


def test_the_page_on_a_new_site_works_as_printed(project: Path, environments: Path) -> None:
    shell = NEW_SITE.start(project, environments)
    outputs = NEW_SITE.follow(shell, NEW_SITE_CHANGES, red="python -m pytest docs")
    assert outputs[BUILD] == ""
    assert "[2.  3.5]" in (project / "site" / "index.html").read_text()
    completed = shell.run("python -m pytest")
    assert "2 passed" in completed.stdout, completed.stdout


def test_the_index_works_as_printed_in_plain_processes(project: Path, environments: Path) -> None:
    shell = NEW_SITE.start(project, environments)
    NEW_SITE.follow(shell, {}, red="", until="bless")
    line = INDEX.body_of("a line of [tool.snippetcheck], which")
    shell.change("pyproject.toml", "[tool.snippetcheck]\n", f"[tool.snippetcheck]\n{line}")
    INDEX.follow(shell, {}, red="")
    shell.change("docs/index.md", "#> [2.  3.5]", "#> [2.  3.6]")
    assert shell.run("python -m pytest").returncode == 1


def test_each_step_of_the_workflow_of_a_new_site_works(project: Path, environments: Path, tmp_path: Path) -> None:
    author = NEW_SITE.start(project, environments)
    NEW_SITE.follow(author, {}, red="", until="bless")
    (job,) = yaml.safe_load((project / WORKFLOW).read_text())["jobs"].values()
    folder = tmp_path / "job" / "foreign"
    folder.mkdir(parents=True)
    shell = Shell(folder, environments)
    output = ""
    for step in job["steps"]:
        if "run" in step:
            completed = shell.run(step["run"])
            assert completed.returncode == 0, completed.stdout + completed.stderr
            output += completed.stdout
        elif step["uses"].startswith("actions/checkout@"):
            shutil.copytree(project, folder, dirs_exist_ok=True)
        else:
            assert step["uses"].startswith("actions/setup-python@"), f"this test cannot imitate the step {step}"
    assert "2 passed" in output, output
    assert "workers" in output, "pytest-xdist did not divide the run among workers"
    assert (folder / "site" / "index.html").is_file()


def test_the_page_on_doctests_works_as_printed(project: Path, environments: Path) -> None:
    red = "python -m pytest src"
    shell = DOCTESTS.start(project, environments)

    @contextlib.contextmanager
    def stays_wrong(shell: Shell) -> Iterator[None]:  # the page's next command corrects the value
        shell.change("src/areas.py", "9", "7")
        yield

    DOCTESTS.follow(shell, {red: stays_wrong}, red)
    completed = shell.run("python -m pytest")
    assert "3 passed" in completed.stdout, completed.stdout


def test_the_page_on_fences_works_as_printed(project: Path, environments: Path) -> None:
    shell = FENCES.start(project, environments)
    (project / "README.md").write_text("# Areas\n")
    FENCES.follow(shell, FENCES_CHANGES, red="python -m pytest docs")
    completed = shell.run("python -m pytest")
    assert "1 passed" in completed.stdout, completed.stdout


def test_the_page_on_files_works_as_printed(project: Path, environments: Path) -> None:
    shell = FILES.start(project, environments)
    outputs = FILES.follow(shell, FILES_CHANGES, red="python -m pytest snippets")
    html = next(output for command, output in outputs.items() if command.startswith("python -m markdown "))
    built_page = (project / "site" / "mean" / "index.html").read_text()
    assert html[html.index('<div class="snippet">') :].strip() in built_page
    assert outputs[BUILD] == ""
    (project / "snippets" / "mean.py").unlink()
    completed = shell.run(BUILD)
    remedy = "line 5 of the text: no snippet 'mean.py'\n    write it, or correct the name"
    assert completed.returncode and remedy in completed.stderr


def test_the_ledger_of_the_page_on_files_reports_mistakes(project: Path, environments: Path) -> None:
    shell = FILES.start(project, environments)
    FILES.follow(shell, {}, red="", until="bless")
    page = project / "docs" / "mean.md"
    page.write_text(page.read_text() + '\n=== "tab"\n\n    ~~~ python\n    x\n    ~~~\n\nAnd `4.5`.\n')
    completed = shell.run("python -m pytest pyproject.toml")
    assert completed.returncode == 1
    assert "docs/mean.md:11: a fence that nothing checks: 'python'" in completed.stdout
    assert "docs/mean.md:15: the number `4.5` occurs in no output shown on this page" in completed.stdout
    shell.change("snippets/mean.py", "print(", "print((")
    completed = shell.run("python -m pytest pyproject.toml")
    assert completed.returncode == 1
    assert "snippets/mean.py:6: is not Python: '(' was never closed" in completed.stdout
    assert "docs/mean.md" not in completed.stdout and "SnippetError" not in completed.stdout


def test_the_limits_of_the_guide_are_those_of_the_harness() -> None:
    limits = (
        f"{Limits().output} MiB of output, {containment.FILE_LIMIT // MEBIBYTE} MiB in a file, "
        f"{containment.DISK_LIMIT // MEBIBYTE} MiB and {containment.FILES_LIMIT:,} files on disk, "
        f"{Limits().memory // 1024} GiB of memory, {LEAST_PROCESSES} processes (more on a machine with more than "
        f"{LEAST_PROCESSES // 2} cores), and {DEFAULT_TIMEOUT:g} seconds unless"
    )
    assert limits in " ".join(INDEX.text.split())


@pytest.mark.parametrize("page", sorted(path.stem for path in PAGES.glob("*.md")))
def test_every_fence_of_the_guide_is_classified(page: str) -> None:
    assert GuidePage(page).complaints() == []
