"""Each command in a message works when it is pasted into a shell, even if PATH contains no Python."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sample_projects import Project
from snippetcheck.report import explain_change, python_command
from snippetcheck.source import plural

COMMAND = re.compile(r"(\S+) (-m (?:pytest|snippetcheck)\b.*)")
WRONG = "print(1)\n#> 2"


def paste(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell whose PATH contains no Python."""
    environment = {"PATH": "/nowhere", "HOME": str(folder)}
    return subprocess.run(["/bin/bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)


def commands(text: str) -> list[str]:
    """Return the commands of pytest and of the harness in a text."""
    return [" ".join(match.groups()).removeprefix("remedy: ") for match in COMMAND.finditer(text)]


def bless_hint(project: Project) -> str:
    """Run pytest so that it suggests to bless a snippet. Return its output."""
    project.snippet("with 'a blank'.py", WRONG)
    return project.pytest().stdout


def narrow_testpaths(project: Project) -> str:
    """Add a snippet, but limit `testpaths` to a test, so that pytest suggests to run the snippet. Return pytest's output."""
    project.snippet("a.py", "print(1)\n#> 1")
    (project.root / "tests").mkdir()
    (project.root / "tests" / "test_a.py").write_text("def test_a(): pass")
    with (project.root / "pyproject.toml").open("a") as file:
        file.write('[tool.pytest.ini_options]\ntestpaths = ["tests"]\n')
    return project.pytest().stdout


MESSAGES = (bless_hint, narrow_testpaths)


@pytest.mark.parametrize("message", MESSAGES)
def test_a_printed_command_can_be_pasted(message: Callable[[Project], str], project: Project) -> None:
    text = message(project)
    printed_commands = commands(text)
    assert len(printed_commands) == 1, text
    completed = paste(printed_commands[0], project.root)
    assert completed.returncode == 0, f"{printed_commands[0]}\n{completed.stdout}{completed.stderr}"
    assert project.pytest("snippets").returncode == 0


def test_the_summary_repeats_only_the_first_line_of_a_report(project: Project) -> None:
    project.snippet("a.py", WRONG)
    for environment in ({}, {"CI": "true"}):
        completed = project.pytest("-n", "1", **environment)
        assert len(commands(completed.stdout)) == 1, completed.stdout
        (line,) = (line for line in completed.stdout.splitlines() if line.startswith("FAILED"))
        assert line.startswith("FAILED snippets/a.py::python - on python, line 4 prints something other"), line


def test_an_interpreter_in_the_project_is_written_as_its_path(project: Project) -> None:
    (project.root / ".venv").symlink_to(Path(sys.prefix))
    project.snippet("a.py", WRONG)
    completed = project.run([".venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider"])
    assert commands(completed.stdout) == [".venv/bin/python -m snippetcheck bless snippets/a.py"]
    usage = project.run([".venv/bin/python", "-m", "snippetcheck", "--help"]).stdout
    assert usage.startswith("usage: .venv/bin/python -m snippetcheck [-h]")


def test_an_interpreter_on_the_path_is_written_as_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    assert python_command("-m", "pytest", Path("a b")) == "python -m pytest 'a b'"
    monkeypatch.setenv("PATH", "/nowhere")
    assert python_command("-V") == f"{sys.executable} -V"


def test_nouns_and_verbs_agree_in_number() -> None:
    assert [plural(n, "complaint") for n in (0, 1, 2, 1000)] == [
        "0 complaints",
        "1 complaint",
        "2 complaints",
        "1,000 complaints",
    ]
    findings = {"torch": [], "two": ["x"], "three": ["x"]}
    assert explain_change("torch", findings, False) == "two, three are wrong: torch prints what the page says"  # type: ignore[arg-type]
    del findings["three"]
    assert explain_change("torch", findings, False) == "two is wrong: torch prints what the page says"  # type: ignore[arg-type]


def test_a_file_name_in_another_encoding_says_so(project: Project) -> None:
    project.snippet("grün.py", "print(1)\n#> 1")
    for completed in (project.harness("bless", PYTHONUTF8="0", LC_ALL="C"), project.pytest(PYTHONUTF8="0", LC_ALL="C")):
        assert completed.returncode == 1
        assert "file name is not ASCII, the encoding of file names here" in completed.stdout
        assert "set the environment variable PYTHONUTF8=1" in completed.stdout
    assert project.harness("bless", PYTHONUTF8="1", LC_ALL="C").returncode == 0
