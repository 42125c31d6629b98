"""The page for maintainers of other projects does what it says: its files and commands are taken from it."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from made_projects import Project
from snippetcheck.pages import Fence, find_fences
from snippetcheck.settings import find_root

PAGE = find_root(__file__) / "docs" / "use-the-harness.md"
FENCES = find_fences(PAGE.read_text(encoding="utf-8"), PAGE)


def commands() -> dict[str, tuple[str, list[str]]]:
    """The commands on the page by their first words: the whole command, and the lines that it prints."""
    found = {}
    for fence in FENCES:
        if fence.info.startswith("{.console") and fence.body[0].startswith("$ python -m "):
            command = fence.body[0].removeprefix("$ python -m ")
            found[command] = (command, list(fence.body[1:]))
    return found


@pytest.fixture
def foreign(tmp_path: Path) -> Project:
    """The project of the page."""
    project = Project(tmp_path / "foreign", "")
    for fence in FENCES:
        match = re.search(r'illustrative="(\S+) of another project', fence.info)
        if match:
            file = project.root / match[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(fence.body) + "\n")
    return project


def run(project: Project, command: str) -> str:
    module, *arguments = shlex.split(command)
    done = project.pytest(*arguments) if module == "pytest" else project.run([sys.executable, "-m", module, *arguments])
    assert done.stderr == ""
    return done.stdout


def is_said(lines: list[str], output: str) -> bool:
    """Whether these lines stand one after the other in the output; percentages aside."""
    said = [re.sub(r"\s+\[ *\d+%\]$", "", line).rstrip() for line in output.splitlines()]
    wanted = [line.rstrip() for line in lines]
    return any(said[start : start + len(wanted)] == wanted for start in range(len(said)))


def test_the_page_has_what_is_tested() -> None:
    assert [command.split()[0:3] for command in commands()] == [
        ["snippetcheck", "bless", "snippets/mean.py"],
        ["pytest", "-v"],
        ["pytest", "snippets"],
        ["markdown", "-x", "snippetcheck.markdown"],
        ["mkdocs", "-q", "build"],
        ["snippetcheck", "merge", "shard1.json"],
        ["pytest", "snippets", "--snippet-mutate"],
    ]


def test_the_page_from_top_to_bottom(foreign: Project) -> None:
    bless, run_all, run_changed, _, _, merge, mutate = commands().values()
    assert is_said(bless[1], run(foreign, bless[0]))
    assert is_said(run_all[1], run(foreign, run_all[0]))
    assert is_said(mutate[1], run(foreign, mutate[0]))
    for number in (1, 2):
        foreign.pytest("snippets", "--snippet-shard", f"{number}/2", "--snippet-evidence", f"shard{number}.json")
    assert is_said(merge[1], run(foreign, merge[0]))
    snippet = foreign.root / "snippets" / "mean.py"
    snippet.write_text(snippet.read_text().replace("3.5", "3.6"))
    assert is_said(run_changed[1], run(foreign, run_changed[0]))


def test_the_page_shows_the_example_elsewhere(foreign: Project) -> None:
    pytest.importorskip("mkdocs")
    _, _, _, plain, site, _, _ = commands().values()
    foreign.harness("bless", "snippets/mean.py")
    shown = run(foreign, plain[0])
    assert is_said(plain[1], shown)
    assert run(foreign, site[0]) == "" and site[1] == []
    built = (foreign.root / "site" / "mean" / "index.html").read_text()
    start = shown.index('<div class="snippet">')
    assert shown[start:].strip() in built
    (foreign.root / "snippets" / "mean.py").unlink()
    done = foreign.run([sys.executable, "-m", *shlex.split(site[0])])
    assert (
        done.returncode and "line 5 of the text: no snippet 'mean.py'\n    write it, or correct the name" in done.stderr
    )


def test_the_ledger_of_the_page_can_fail(foreign: Project) -> None:
    page = foreign.root / "docs" / "mean.md"
    page.write_text(page.read_text() + '\n=== "tab"\n\n    ~~~ python\n    x\n    ~~~\n\nAnd `4.5`.\n')
    foreign.harness("bless", "snippets/mean.py")
    done = foreign.pytest("tests")
    assert done.returncode == 1
    assert "docs/mean.md:11: a fence that nothing checks: 'python'" in done.stdout
    assert "docs/mean.md:15: the figure `4.5` occurs in no output shown on this page" in done.stdout


def test_every_fence_of_the_page_is_classified() -> None:
    assert [fence.complaint() for fence in FENCES if fence.problem] == []
    assert {type(fence) for fence in FENCES} == {Fence}
