"""The guide for maintainers of other projects: its files, commands and workflow run as printed.

They run in an environment that contains only what its `pip install` lines install.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from sample_environments import HARNESS, environment, repository
from snippetcheck.engines import LEAST_PROCESSES, MEBIBYTE, Limits
from snippetcheck.pages import Fence, find_fences
from snippetcheck.runner import containment
from snippetcheck.snippet import DEFAULT_TIMEOUT

PAGE = HARNESS.parent / "docs" / "use-the-harness.md"
TEXT = PAGE.read_text(encoding="utf-8")
FENCES = find_fences(TEXT, PAGE)
WORKFLOW = ".github/workflows/examples.yml"
RED = "python -m pytest snippets"  # the command before which the page changes a digit
MANIFEST = "python -m pytest -v snippets/third.py"  # the command for which the page shows another example
PLAIN = "python -m pytest -v snippets/mean.py"  # the command for which the page adds a setting


@dataclass
class Shell:
    """A shell in a temporary folder, on a machine where only Python and git are installed."""

    folder: Path
    environments: Path  # the folder of all environments
    installed: tuple[str, ...] = ()  # `pip install` lines

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a line as the page shows it."""
        if line.startswith("pip install "):
            for path in re.findall(r"\S+/[\w/]+", line.replace('"', " ")):
                assert (self.folder / path / "pyproject.toml").is_file(), f"{line}: {path} is not there"
            self.installed += (line,)
            environment(self.environments, self.installed)
            return subprocess.CompletedProcess(line, 0, "", "")
        programs = environment(self.environments, self.installed).parent
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GITHUB"))}
        variables = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "GIT_CONFIG_COUNT": "1",  # in place of GitHub
            "GIT_CONFIG_KEY_0": f"url.file://{repository(self.environments)}.insteadOf",
            "GIT_CONFIG_VALUE_0": "https://github.com/OWNER/gradnotes",
        }
        return subprocess.run(
            ["bash", "-ec", line],
            cwd=self.folder,
            env=inherited | variables,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def change(self, old: str, new: str) -> None:
        snippet = self.folder / "snippets" / "mean.py"
        assert old in snippet.read_text()
        snippet.write_text(snippet.read_text().replace(old, new))


def commands(fences: list[Fence] = FENCES) -> list[tuple[str, list[str]]]:
    """Return the commands on the page, each with the lines that it prints there."""
    commands_and_outputs: list[tuple[str, list[str]]] = []
    for fence in fences:
        for line in fence.body if fence.info.startswith("{.console") else ():
            if line.startswith("$ "):
                commands_and_outputs.append((line.removeprefix("$ "), []))
            else:
                commands_and_outputs[-1][1].append(line)
    return commands_and_outputs


@pytest.fixture
def shell(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Create the project of the page before its first command."""
    write_files(FENCES, tmp_path / "foreign")
    return Shell(tmp_path / "foreign", tmp_path_factory.getbasetemp())


def write_files(fences: list[Fence], folder: Path) -> None:
    """Write the files of a project that stand on a page."""
    for fence in fences:
        match = re.search(r'illustrative="(\S+) of another project', fence.info)
        if match:
            file = folder / match[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(fence.body) + "\n")


@pytest.fixture
def blessed_shell(shell: Shell) -> Shell:
    """Run the commands of the page until the example is blessed."""
    for command, _ in commands():
        shell.run(command)
        if "bless" in command:
            break
    return shell


def body_of(reason: str) -> str:
    """Return the text of the fence whose reason begins so."""
    (fence,) = [fence for fence in FENCES if f'illustrative="{reason} ' in fence.info]
    return "\n".join(fence.body) + "\n"


def is_printed(lines: list[str], output: str) -> bool:
    """Return whether these lines occur one after the other in the output. Percentages are ignored."""
    printed_lines = [re.sub(r"\s+\[ *\d+%\]$", "", line).rstrip() for line in output.splitlines()]
    expected_lines = [line.rstrip() for line in lines]
    return any(
        printed_lines[start : start + len(expected_lines)] == expected_lines for start in range(len(printed_lines) + 1)
    )


def test_the_page_from_top_to_bottom(shell: Shell) -> None:
    outputs = {}
    for command, lines in commands():
        if "mkdocs" in command:
            shell.run("pip install mkdocs")  # a project with a mkdocs.yml has it installed
        if command == RED:
            shell.change("3.5", "3.6")
            done = shell.run(command)
            shell.change("3.6", "3.5")
        elif command == MANIFEST:
            third = shell.folder / "snippets" / "third.py"
            third.write_text(body_of("snippets/third.py, which"))
            done = shell.run(command)
            third.unlink()
        elif command == PLAIN:
            settings = shell.folder / "pyproject.toml"
            before = settings.read_text()
            line = body_of("a line of [tool.snippetcheck], which")
            settings.write_text(before.replace("[tool.snippetcheck]\n", f"[tool.snippetcheck]\n{line}"))
            done = shell.run(command)
            settings.write_text(before)
        else:
            done = shell.run(command)
        assert done.returncode == (command == RED), done.stdout + done.stderr
        assert is_printed(lines, done.stdout), f"{command}\n{done.stdout}"
        assert not done.stderr or command.startswith("git "), done.stderr
        outputs[command.split()[2]] = done.stdout
    assert {"snippetcheck", "pytest", "markdown", "mkdocs"} <= outputs.keys()
    built_page = (shell.folder / "site" / "mean" / "index.html").read_text()
    html = outputs["markdown"]
    assert html[html.index('<div class="snippet">') :].strip() in built_page
    assert not outputs["mkdocs"]
    (shell.folder / "snippets" / "mean.py").unlink()
    done = shell.run(next(command for command, _ in commands() if "mkdocs" in command))
    remedy = "line 5 of the text: no snippet 'mean.py'\n    write it, or correct the name"
    assert done.returncode and remedy in done.stderr


def test_the_workflow_step_by_step(blessed_shell: Shell, tmp_path: Path) -> None:
    (job,) = yaml.safe_load((blessed_shell.folder / WORKFLOW).read_text())["jobs"].values()
    folder = tmp_path / "job" / "foreign"
    folder.mkdir(parents=True)
    shell = Shell(folder, blessed_shell.environments)
    output = ""
    for step in job["steps"]:
        if "run" in step:
            done = shell.run(step["run"])
            assert done.returncode == 0, done.stdout + done.stderr
            output = done.stdout
        elif step["uses"].startswith("actions/checkout@"):
            shutil.copytree(blessed_shell.folder, folder, dirs_exist_ok=True)
        else:
            assert step["uses"].startswith("actions/setup-python@"), "this Python replaces it"
    assert "2 passed" in output, output
    assert "workers" in output, "pytest-xdist has divided the run"


def test_the_ledger_of_the_page_can_fail(blessed_shell: Shell) -> None:
    page = blessed_shell.folder / "docs" / "mean.md"
    page.write_text(page.read_text() + '\n=== "tab"\n\n    ~~~ python\n    x\n    ~~~\n\nAnd `4.5`.\n')
    done = blessed_shell.run("python -m pytest pyproject.toml")
    assert done.returncode == 1
    assert "docs/mean.md:11: a fence that nothing checks: 'python'" in done.stdout
    assert "docs/mean.md:15: the figure `4.5` occurs in no output shown on this page" in done.stdout
    blessed_shell.change("print(", "print((")
    done = blessed_shell.run("python -m pytest pyproject.toml")
    assert done.returncode == 1
    assert "snippets/mean.py:6: is not Python: '(' was never closed" in done.stdout
    assert "docs/mean.md" not in done.stdout and "SnippetError" not in done.stdout


def test_the_limits_of_the_page_are_those_of_the_harness() -> None:
    limits = (
        f"{Limits().output} MiB of output, {containment.FILE_LIMIT // MEBIBYTE} MiB in a file, "
        f"{containment.DISK_LIMIT // MEBIBYTE} MiB and {containment.FILES_LIMIT:,} files on disk, "
        f"{Limits().memory // 1024} GiB of memory, {LEAST_PROCESSES} processes (more on a machine with more than "
        f"{LEAST_PROCESSES // 2} cores), and {DEFAULT_TIMEOUT:g} seconds unless"
    )
    assert limits in " ".join(TEXT.split())


def test_every_fence_of_the_page_is_classified() -> None:
    assert [fence.complaint() for fence in FENCES if fence.problem] == []
    assert {type(fence) for fence in FENCES} == {Fence}
